// verdict: false
// about: two threads at a barrier for three

#include <pthread.h>

pthread_barrier_t b;

void *one(void *p) {
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, one, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}

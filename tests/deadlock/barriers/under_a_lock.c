// verdict: false
// about: a barrier under a lock that both need

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

pthread_barrier_t b;

void *one(void *p) {
    pthread_mutex_lock(&m);
    pthread_barrier_wait(&b);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, one, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}

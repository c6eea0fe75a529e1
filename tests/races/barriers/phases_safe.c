// verdict: true
// about: a barrier between writing and reading

#include <pthread.h>

int a[2], r[2];
pthread_barrier_t b;
void *one(void *unused) {
    a[0] = 1;
    pthread_barrier_wait(&b);
    r[0] = a[1];
    return 0;
}
void *two(void *unused) {
    a[1] = 2;
    pthread_barrier_wait(&b);
    r[1] = a[0];
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

// property: no-misuse
// verdict: true
// rules: all
// why: precision
//
// A barrier for two, destroyed when both have passed it.
#include <pthread.h>
pthread_barrier_t b;
void *other(void *a) {
    pthread_barrier_wait(&b);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, other, 0);
    pthread_barrier_wait(&b);
    pthread_join(t, 0);
    pthread_barrier_destroy(&b);
    return 0;
}

// verdict: false
// about: the predicate is set between its check and the wait

#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

pthread_cond_t c = PTHREAD_COND_INITIALIZER;
atomic_int ready;

void *waits(void *p) {
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

void *signals(void *p) {
    ready = 1;
    pthread_cond_signal(&c);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, waits, 0);
    pthread_create(&t1, 0, signals, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}

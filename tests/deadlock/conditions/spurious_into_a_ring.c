// verdict: false
// about: who wakes up needs the lock of one who waits for it

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *waits(void *p) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&a);
    return 0;
}

void *other(void *p) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&m);
    return 0;
}

void *signals(void *p) {
    for (;;) pthread_cond_signal(&c);
    return 0;
}

int main(void) {
    pthread_t t0, t1, t2;
    pthread_create(&t0, 0, waits, 0);
    pthread_create(&t1, 0, other, 0);
    pthread_create(&t2, 0, signals, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

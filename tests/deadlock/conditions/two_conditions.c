// verdict: true
// about: producers and consumers with a condition each

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int full;

void *put(void *p) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&emptied, &m);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
    return 0;
}

void *get(void *p) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&filled, &m);
    full = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t0, t1, t2, t3;
    pthread_create(&t0, 0, put, 0);
    pthread_create(&t1, 0, put, 0);
    pthread_create(&t2, 0, get, 0);
    pthread_create(&t3, 0, get, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    return 0;
}

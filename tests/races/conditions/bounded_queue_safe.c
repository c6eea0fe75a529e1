// verdict: true
// about: a queue of one place under a mutex and a condition

#include <pthread.h>

int full, item, got;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *put(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&c, &m);
        item = i;
        full = 1;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
void *take(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&c, &m);
        got = item;
        full = 0;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, put, 0);
    pthread_create(&t, 0, take, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

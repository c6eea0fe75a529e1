// verdict: false
// about: one walks the chain backwards

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

void *walk(void *p) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&c);
    return 0;
}

void *back(void *p) {
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&c);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, walk, 0);
    pthread_create(&t1, 0, back, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}

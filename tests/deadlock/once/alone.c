// verdict: true
// about: a routine that needs a lock that its callers do not hold

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

pthread_once_t o = PTHREAD_ONCE_INIT;

void init(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

void *one(void *p) {
    pthread_once(&o, init);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, one, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}

// verdict: false
// about: an early return with the lock held

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

int failed;

void *one(void *p) {
    pthread_mutex_lock(&a);
    if (failed) return 0;
    pthread_mutex_unlock(&a);
    return 0;
}

void *two(void *p) {
    pthread_mutex_lock(&a);
    failed = 1;
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t0, t1, t2;
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    pthread_create(&t2, 0, one, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

// verdict: true
// about: writers in one order

#include <pthread.h>

pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlock_t s = PTHREAD_RWLOCK_INITIALIZER;

void *one(void *p) {
    pthread_rwlock_wrlock(&r);
    pthread_rwlock_wrlock(&s);
    pthread_rwlock_unlock(&s);
    pthread_rwlock_unlock(&r);
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

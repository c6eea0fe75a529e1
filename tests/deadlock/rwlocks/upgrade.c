// verdict: false
// about: a reader that wants to write waits for itself

#include <pthread.h>

pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;

void *one(void *p) {
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_wrlock(&r);
    pthread_rwlock_unlock(&r);
    pthread_rwlock_unlock(&r);
    return 0;
}

int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, one, 0);
    pthread_join(t0, 0);
    return 0;
}

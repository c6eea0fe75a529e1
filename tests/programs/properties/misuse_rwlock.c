// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A read-write lock is destroyed that a reader may hold.
#include <pthread.h>
pthread_rwlock_t l;
void *reader(void *a) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_rwlock_init(&l, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_rwlock_destroy(&l);
    return 0;
}

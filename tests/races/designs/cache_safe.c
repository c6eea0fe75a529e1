// verdict: true
// about: a cache under a read-write lock, filled by whoever finds it empty

#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int value, valid;
void *get(void *unused) {
    pthread_rwlock_rdlock(&l);
    int known = valid;
    pthread_rwlock_unlock(&l);
    if (!known) {
        pthread_rwlock_wrlock(&l);
        value = 7;
        valid = 1;
        pthread_rwlock_unlock(&l);
    }
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, get, 0);
    pthread_create(&t, 0, get, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

// verdict: false
// about: two threads under read locks write, one writes under the write lock

#include <pthread.h>

int x, y;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *reader(void *unused) {
    pthread_rwlock_rdlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, reader, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_rwlock_wrlock(&l);
    x = 2;
    pthread_rwlock_unlock(&l);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

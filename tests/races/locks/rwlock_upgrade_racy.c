// verdict: false
// about: a reader that goes on as reader to write

#include <pthread.h>

int x;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *one(void *unused) {
    pthread_rwlock_rdlock(&l);
    int old = x;
    x = old + 1;
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

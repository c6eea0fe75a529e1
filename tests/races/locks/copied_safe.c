// verdict: true
// about: a lock is copied before it is used

#include <pthread.h>

struct guarded { pthread_mutex_t m; int x; } a = {PTHREAD_MUTEX_INITIALIZER, 0}, b;
void *one(void *unused) {
    pthread_mutex_lock(&a.m);
    pthread_mutex_unlock(&a.m);
    return 0;
}
int main(void) {
    pthread_t t;
    b = a;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}

// verdict: false
// about: the lock is taken on one path only

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    int c = __VERIFIER_nondet_int();
    if (c)
        pthread_mutex_lock(&m);
    x++;
    if (c)
        pthread_mutex_unlock(&m);
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

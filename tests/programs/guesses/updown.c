// verdict: true
// rules: none
// solver: houdini
// why: precision
//
// Increments and decrements cancel.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int n, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *up(void *arg) {
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *down(void *arg) {
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        x--;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 1000000);
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, down, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 0);
    return 0;
}

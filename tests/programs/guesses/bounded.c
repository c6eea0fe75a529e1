// verdict: true
// rules: none
// solver: houdini
// why: precision
//
// No more is used than was made.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int n, made, used;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *make(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        if (made < n)
            made++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *use(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        if (used < made)
            used++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 1000000);
    pthread_create(&a, 0, make, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(used <= made && made <= n);
    return 0;
}

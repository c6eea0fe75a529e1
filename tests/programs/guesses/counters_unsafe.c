// verdict: false
// rules: all
// why: soundness
//
// One of them starts too late.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int n, x, y;

void *up(void *arg) {
    for (int i = 0; i < n; i++)
        x++;
    return 0;
}

void *too(void *arg) {
    for (int i = n > 2; i < n; i++)
        y++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 1000000);
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, too, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == y);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Division does not round down: -7 / 2 is not -4.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();

    __VERIFIER_assume(n >= -7 && n <= 7);
    assert(n - 2 * (n / 2) >= 0);
    return 0;
}

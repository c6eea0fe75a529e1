// verdict: true
// rules: none
// why: precision
//
// A loop made of goto: the sum is what the counter says.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = 0, sum = 0;

    __VERIFIER_assume(n >= 0);
again:
    if (k < n) {
        k = k + 1;
        sum = sum + 2;
        goto again;
    }
    assert(sum == 2 * n);
    return 0;
}

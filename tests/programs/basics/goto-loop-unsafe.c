// verdict: false
// rules: all
// why: soundness
//
// A loop made of goto, which does not run at all when the bound is negative.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = 0, sum = 0;

again:
    if (k < n) {
        k = k + 1;
        sum = sum + 2;
        goto again;
    }
    assert(sum == 2 * n);
    return 0;
}

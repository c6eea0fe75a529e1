// verdict: true
// rules: all
// why: precision
//
// An arbitrary number, bounded by an assumption, in a linear assertion.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();

    __VERIFIER_assume(n >= 0 && n <= 3);
    assert(2 * n + 1 <= 7);
    return 0;
}

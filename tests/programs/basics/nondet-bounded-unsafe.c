// verdict: false
// rules: all
// why: soundness
//
// An arbitrary number, bounded by an assumption that is one too wide.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();

    __VERIFIER_assume(n >= 0 && n <= 3);
    assert(2 * n + 1 <= 6);
    return 0;
}

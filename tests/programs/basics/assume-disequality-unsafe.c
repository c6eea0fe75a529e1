// verdict: false
// rules: all
// why: soundness
//
// assume(x != 0) leaves the negative numbers.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    __VERIFIER_assume(x != 0);
    assert(x > 0);
    return 0;
}

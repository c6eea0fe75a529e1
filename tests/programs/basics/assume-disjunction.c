// verdict: true
// rules: all
// why: precision
//
// assume(x == 0 || y == 0), then the same assertion. Neither disjunct holds on its own.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();

    __VERIFIER_assume(x == 0 || y == 0);
    assert(x == 0 || y == 0);
    return 0;
}

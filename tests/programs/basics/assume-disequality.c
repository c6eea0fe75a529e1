// verdict: true
// rules: all
// why: precision
//
// assume(x != 0), then assert(x != 0): a disequality is two cases.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    __VERIFIER_assume(x != 0);
    assert(x != 0);
    return 0;
}

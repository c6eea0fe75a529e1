// verdict: true
// rules: all
// why: precision
//
// The assertion fails only if a signed addition overflows. That is undefined behaviour, which ends an execution,
// so there is no error.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();

    assert(n + 1 > n);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// assume_abort_if_not, as competition files define it: a condition that does not hold ends the execution.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

extern void abort(void);

void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

int main(void)
{
    int n = __VERIFIER_nondet_int();

    assume_abort_if_not(n > 3);
    assert(n > 2);
    return 0;
}

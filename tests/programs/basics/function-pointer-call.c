// verdict: true
// rules: all
// why: precision
//
// A call through a pointer with two known targets.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int twice(int n)
{
    return 2 * n;
}

int thrice(int n)
{
    return 3 * n;
}

int main(void)
{
    int (*f)(int) = __VERIFIER_nondet_int() ? twice : thrice;
    int r = f(5);

    assert(r == 10 || r == 15);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A switch whose cases fall through, with a default at the end.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int classify(int n)
{
    int r = 0;

    switch (n) {
    case 1:
        r = r + 1;
        /* fall through */
    case 2:
        r = r + 10;
        break;
    case 3:
        r = 100;
        /* fall through */
    default:
        r = r + 1000;
    }
    return r;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int r = classify(n);

    if (n == 1)
        assert(r == 11);
    else if (n == 2)
        assert(r == 10);
    else if (n == 3)
        assert(r == 1100);
    else
        assert(r == 1000);
    return 0;
}

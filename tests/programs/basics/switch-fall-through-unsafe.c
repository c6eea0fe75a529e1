// verdict: false
// rules: all
// why: soundness
//
// A switch whose first case was believed to end where the second begins.

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
        assert(r == 1);
    return 0;
}

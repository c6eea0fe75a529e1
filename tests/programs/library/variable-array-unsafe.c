// verdict: false
// rules: all
// why: soundness
//
// Elements of an array of variable length start with anything.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4)
        return 0;
    int a[n];
    a[n - 1] = 7;
    assert(a[0] == 7);
    return 0;
}

// verdict: true
// rules: all
// why: soundness
//
// A block of any size that starts with zeros.
#include <assert.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n > 1000 || i >= n)
        return 0;
    long *cells = calloc(n, sizeof(long));
    assert(cells[i] == 0);
    return 0;
}

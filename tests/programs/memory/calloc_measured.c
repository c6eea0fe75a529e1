// verdict: true
// rules: all
// why: soundness
//
// A block of any size that starts with zeros.
#include <assert.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 4 || n > 1000)
        return 0;
    long *cells = calloc(n, sizeof(long));
    cells[0] = 5;
    assert(cells[3] == 0);
    return 0;
}

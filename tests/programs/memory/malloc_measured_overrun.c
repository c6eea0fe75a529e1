// verdict: true
// rules: all
// why: soundness
//
// One element too far in a block of any size is undefined: nothing comes after it.
#include <assert.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    int *cells = malloc(n * sizeof(int));
    cells[n] = 1;
    assert(0);
    return 0;
}

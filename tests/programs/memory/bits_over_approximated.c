// verdict: false
// rules: all
// why: soundness
//
// Bits of an arbitrary number: a counterexample is checked bit by bit.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = x & (x - 1);
    if (x == 12)
        assert(y == 4);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Recursion whose depth the arguments bound.

#include <assert.h>

int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
    assert(sum(10) != 55);
    return 0;
}

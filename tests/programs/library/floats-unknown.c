// verdict: unknown
// rules: all
// why: limitation
//
// A claim that depends on floating point is neither proved nor refuted.

#include <assert.h>

int main(void) {
    double half = 0.5;
    assert(half < 1.0);
    return 0;
}

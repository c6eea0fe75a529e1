// verdict: false
// rules: all
// why: soundness
//
// A number that is not one is zero.

#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(atoi("x1") != 0);
    return 0;
}

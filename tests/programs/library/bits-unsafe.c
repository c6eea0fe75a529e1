// verdict: false
// rules: all
// why: soundness
//
// A sum that fits does not overflow.

#include <assert.h>

int main(void) {
    int sum;
    assert(__builtin_add_overflow(1, 2, &sum) || sum != 3);
    return 0;
}

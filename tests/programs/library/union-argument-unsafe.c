// verdict: false
// rules: all
// why: soundness
//
// The union that a member is passed for has that member's value.

#include <assert.h>

typedef union {
    int *number;
    void *anything;
} either __attribute__((__transparent_union__));

static int value(either of) { return *of.number; }

int main(void) {
    int five = 5;
    assert(value(&five) != 5);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// A bit-field narrower than int is promoted to int, whatever its sign: the difference is negative.
#include <assert.h>
struct flags { unsigned a : 3; };
int main(void) {
    struct flags f = {1};
    assert(f.a - 2 > 0);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// One string literal may lie within another.
#include <assert.h>
int main(void) {
    const char *whole = "abc", *end = "bc";
    assert(whole + 1 != end);
    return 0;
}

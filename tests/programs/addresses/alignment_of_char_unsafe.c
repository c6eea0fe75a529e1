// verdict: false
// rules: all
// why: soundness
//
// A char may have an odd address.
#include <assert.h>
#include <stdint.h>
char c;
int main(void) {
    assert((uintptr_t)&c % 2 == 0);
    return 0;
}

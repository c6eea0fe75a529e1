// verdict: false
// rules: all
// why: soundness
//
// An address need not be a multiple of more than its object's alignment.
#include <assert.h>
#include <stdint.h>
_Alignas(64) int line;
int main(void) {
    assert((uintptr_t)&line % 128 == 0);
    return 0;
}

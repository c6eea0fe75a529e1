// verdict: false
// rules: all
// why: soundness
//
// Two blocks may lie in either order.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    assert((uintptr_t)a < (uintptr_t)b);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Two blocks may lie in either order, but not in the same place, and always in the same order.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    int before = a < b;
    assert((uintptr_t)a != (uintptr_t)b);
    assert(before == ((uintptr_t)a < (uintptr_t)b));
    assert((uintptr_t)a + sizeof *a <= (uintptr_t)b || (uintptr_t)b + sizeof *b <= (uintptr_t)a);
    return 0;
}

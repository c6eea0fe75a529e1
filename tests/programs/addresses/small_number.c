// verdict: true
// rules: all
// why: precision
//
// An address is not null, and no small number.
#include <assert.h>
#include <stdint.h>
char x;
int f(void) { return 1; }
int main(void) {
    assert(&x != 0 && (uintptr_t)&x != 1 && (uintptr_t)f != 0);
    assert(&x != (char *)-1);
    assert((uintptr_t)&x + 1 > (uintptr_t)&x);
    return 0;
}

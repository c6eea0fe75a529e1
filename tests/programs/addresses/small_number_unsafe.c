// verdict: false
// rules: all
// why: soundness
//
// An address is no particular number: neither that of a variable nor that of a function.
#include <assert.h>
#include <stdint.h>
int x;
int f(void) { return 1; }
int main(void) {
    if ((uintptr_t)&x < 100000)
        assert((uintptr_t)f < 100000);
    return 0;
}

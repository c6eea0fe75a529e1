// verdict: true
// rules: all
// why: precision
//
// Assembly that only keeps accesses where they are, with operands.

#include <assert.h>

int main(void) {
    int x = 3;
    __asm__ __volatile__("" : "+r"(x) : : "memory");
    __asm__ __volatile__("" : : "m"(x));
    __asm__ __volatile__("rep; nop" : : : "memory");
    assert(x == 3);
    return 0;
}

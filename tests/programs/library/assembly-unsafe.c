// verdict: false
// rules: all
// why: soundness
//
// An addition that fetches gives the value from before.

#include <assert.h>

int main(void) {
    int word = 4, given = 1;
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(given), "+m"(word) : : "memory", "cc");
    assert(word == 5 && given == 5);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// A callee's local need not lie above its caller's.
#include <assert.h>
#include <stdint.h>
uintptr_t outer;
void callee(void) {
    int inner;
    assert((uintptr_t)&inner > outer);
}
int main(void) {
    int local;
    outer = (uintptr_t)&local;
    callee();
    return 0;
}

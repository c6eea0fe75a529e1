// verdict: true
// rules: all
// why: precision
//
// A callee's local lies where the caller's, which is still there, does not.
#include <assert.h>
#include <stdint.h>
uintptr_t outer;
void callee(void) {
    int inner;
    assert((uintptr_t)&inner > outer || (uintptr_t)&inner < outer);
}
int main(void) {
    int local;
    outer = (uintptr_t)&local;
    callee();
    return 0;
}

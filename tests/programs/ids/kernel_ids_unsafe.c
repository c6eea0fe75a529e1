// verdict: false
// rules: all
// why: soundness
//
// The kernel's id of a thread is no particular number.
#include <assert.h>
#include <unistd.h>
int main(void) {
    assert(gettid() < 100);
    return 0;
}

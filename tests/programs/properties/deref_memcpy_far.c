// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// memcpy reads more than there is.
#include <string.h>
int a[4], b[3];
int main(void) {
    memcpy(a, b, sizeof a);
    return 0;
}

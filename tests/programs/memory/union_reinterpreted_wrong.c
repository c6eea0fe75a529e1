// verdict: false
// rules: all
// why: soundness
//
// Big-endian thinking.
#include <assert.h>
union word { unsigned int whole; unsigned char byte[4]; };
int main(void) {
    union word w;
    w.whole = 0x01020304;
    assert(w.byte[0] == 1);
    return 0;
}

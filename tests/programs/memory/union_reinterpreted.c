// verdict: true
// rules: all
// why: precision
//
// Members of different sizes show the same bytes, in little-endian order.
#include <assert.h>
union word { unsigned int whole; unsigned short half[2]; unsigned char byte[4]; int number; };
int main(void) {
    union word w;
    w.whole = 0x01020384;
    assert(w.byte[0] == 0x84 && w.byte[3] == 1);
    assert(w.half[1] == 0x0102);
    w.byte[3] = 0xff;
    assert(w.whole == 0xff020384u);
    assert(w.number < 0);
    w.number = -1;
    assert(w.byte[2] == 255 && w.half[0] == 65535);
    return 0;
}

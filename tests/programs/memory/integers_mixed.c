// verdict: true
// rules: all
// why: precision
//
// Mixed signedness, shifts and bitwise operators, as C converts them.
#include <assert.h>
#include <stdint.h>
int main(void) {
    int minus = -1;
    unsigned one = 1;
    assert(minus > one);
    assert((int8_t)200 == -56 && (uint8_t)-1 == 255);
    assert((-7) / 2 == -3 && (-7) % 2 == -1 && -7 >> 1 == -4);
    uint16_t h = 0xffff;
    assert((h << 1) == 0x1fffe && (uint16_t)(h << 1) == 0xfffe);
    uint32_t w = 1u << 31;
    assert((w << 1) == 0 && (w >> 31) == 1 && (int32_t)w < 0);
    assert((0xf0 ^ 0xff) == 0x0f && (~0u & 0x10) == 16 && (6 | 9) == 15);
    uint64_t big = (uint64_t)w << 32;
    assert(big >> 63 == 1 && (uint32_t)big == 0);
    return 0;
}

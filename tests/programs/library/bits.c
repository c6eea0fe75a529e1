// verdict: true
// rules: all
// why: precision
//
// Builtins on bits and on sums that do not fit.

#include <assert.h>

int main(void) {
    int sum;
    unsigned long product;
    assert(__builtin_clz(1) == 31 && __builtin_ctzl(8) == 3 && __builtin_popcountll(~0ull) == 64);
    assert(__builtin_ffs(0) == 0 && __builtin_ffsll(1ll << 40) == 41 && __builtin_parity(7) == 1);
    assert(__builtin_bswap16(0x0102) == 0x0201 && __builtin_bswap32(0x01020304) == 0x04030201);
    assert(__builtin_bswap64(1) == 1ull << 56);
    assert(__builtin_add_overflow(2147483647, 1, &sum) && sum == -2147483647 - 1);
    assert(!__builtin_sub_overflow(1, 2, &sum) && sum == -1);
    assert(__builtin_mul_overflow(~0ul, 2, &product) && product == ~1ul);
    return 0;
}

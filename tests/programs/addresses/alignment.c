// verdict: true
// rules: all
// why: precision
//
// An address is a multiple of its object's alignment.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
_Alignas(64) int line;
struct __attribute__((aligned(32))) wide { char c; } w;
int plain;
int main(void) {
    _Alignas(128) char local;
    char *block = aligned_alloc(64, 64);
    void *asked;
    posix_memalign(&asked, 256, 16);
    assert((uintptr_t)&line % 64 == 0);
    assert((uintptr_t)&w % 32 == 0);
    assert((uintptr_t)&plain % 4 == 0);
    assert((uintptr_t)&local % 128 == 0);
    assert((uintptr_t)block % 64 == 0);
    assert((uintptr_t)asked % 256 == 0);
    assert((uintptr_t)malloc(1) % 16 == 0);
    return 0;
}

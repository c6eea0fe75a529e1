// verdict: unknown
// rules: all
// why: limitation
//
// Bytes that are read as words are not followed; they are not undefined, either.
#include <assert.h>
#include <stdint.h>
static uint8_t bytes[16];
int __VERIFIER_nondet_int(void);
static uint64_t load(const uint64_t *t) { return *t; }
int main(void) {
    int n = 2;
    if (__VERIFIER_nondet_int())
        n = 1;
    uint64_t *r = (void *)bytes;
    for (int i = 0; i < n; i++)
        load(&r[i]);
    assert(0);
    return 0;
}

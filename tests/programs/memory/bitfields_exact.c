// verdict: true
// rules: all
// why: precision
//
// Bit-fields wrap at their width; signed ones show the sign; neighbours keep their values.
#include <assert.h>
#include <stdbool.h>
struct flags { unsigned a : 3; signed b : 4; unsigned : 2; bool c : 1; unsigned : 0; unsigned long long d : 40; };
int main(void) {
    struct flags f = {7, -8, true, 1ull << 39};
    f.a += 2;
    assert(f.a == 1);
    f.b--;
    assert(f.b == 7);
    f.c = 6;
    assert(f.c == 1);
    f.d = f.d == 1ull << 39 ? 0 : 1;
    assert(f.d == 0);
    f.d = ~0ull;
    assert(f.d == 0xffffffffffull);
    assert(f.a - 2 < 0);
    assert(sizeof(struct flags) == 16);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// memmove between parts of one array; memcmp of what came out.
#include <assert.h>
#include <string.h>
int main(void) {
    int a[5] = {1, 2, 3, 4, 5}, b[5] = {1, 1, 2, 3, 4};
    memmove(a + 1, a, 4 * sizeof(int));
    assert(memcmp(a, b, sizeof a) == 0);
    b[1] = 257;
    assert(memcmp(a, b, sizeof a) < 0);
    assert(memcmp(b, a, 4) == 0);
    return 0;
}

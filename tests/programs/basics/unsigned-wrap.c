// verdict: true
// rules: all
// why: precision
//
// Unsigned arithmetic wraps: 0u - 1 is the largest number, not a negative one.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    unsigned zero = 0;

    assert(zero - 1 > 0);
    assert(zero - 1 == 4294967295u);
    assert(zero - 1 + 1 == 0);
    return 0;
}

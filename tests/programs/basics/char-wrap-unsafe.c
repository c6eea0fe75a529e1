// verdict: false
// rules: all
// why: soundness
//
// An unsigned char never becomes 256: it starts again at 0.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    unsigned char c = 254;

    c = c + 2;
    assert(c == 256);
    return 0;
}

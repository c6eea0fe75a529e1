// verdict: false
// rules: all
// why: soundness
//
// An unsigned counter that goes down past 0 becomes large.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    unsigned n = 1;

    n = n - 1;
    n = n - 1;
    assert(n <= 1);
    return 0;
}

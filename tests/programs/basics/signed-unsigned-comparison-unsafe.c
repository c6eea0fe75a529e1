// verdict: false
// rules: all
// why: soundness
//
// The author expected -1 < 1u.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    int n = -1;
    unsigned one = 1;

    assert(n < one);
    return 0;
}

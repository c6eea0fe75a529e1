// verdict: true
// rules: all
// why: precision
//
// In a comparison of int and unsigned, -1 becomes the largest number: -1 < 1u is false.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    int n = -1;
    unsigned one = 1;

    assert(!(n < one));
    assert(n > one);
    assert(n == 4294967295u);
    return 0;
}

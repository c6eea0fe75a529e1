// verdict: true
// rules: all
// why: precision
//
// Division truncates toward zero, and the remainder has the sign of the dividend.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    int n = -7, p = 7;

    assert(n / 2 == -3);
    assert(n % 2 == -1);
    assert(p / -2 == -3);
    assert(p % -2 == 1);
    assert(n / -2 == 3);
    assert(n % -2 == -1);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// unsigned char is computed with as int and cut off when it is stored.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    unsigned char c = 255;

    assert(c + 1 == 256);
    c = c + 1;
    assert(c == 0);
    c--;
    assert(c == 255);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// The right operand of && and of || is not evaluated when the left one decides: its side effect does not happen.

#include <assert.h>
#include <pthread.h>

int a;

int touch(void)
{
    a = a + 1;
    return 1;
}

int main(void)
{
    int zero = 0, r;

    r = zero && touch();
    assert(r == 0 && a == 0);
    r = !zero || touch();
    assert(r == 1 && a == 0);
    r = !zero && touch();
    assert(r == 1 && a == 1);
    return 0;
}

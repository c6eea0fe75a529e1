// verdict: false
// rules: all
// why: soundness
//
// A weak compare-and-exchange may fail although the value is the expected one.

#include <assert.h>
#include <stdatomic.h>

atomic_int x;

int main(void)
{
    int expected = 0;

    assert(atomic_compare_exchange_weak(&x, &expected, 1));
    return 0;
}

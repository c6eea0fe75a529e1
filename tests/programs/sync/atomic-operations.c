// verdict: true
// rules: all
// why: precision
//
// Every read-modify-write gives the value before it, and is one step.

#include <assert.h>
#include <stdatomic.h>

atomic_uint x = 12;

int main(void)
{
    assert(atomic_fetch_or(&x, 3) == 12);
    assert(atomic_fetch_and(&x, 6) == 15);
    assert(atomic_fetch_xor(&x, 5) == 6);
    assert(atomic_exchange(&x, 9) == 3);
    assert(atomic_fetch_sub(&x, 10) == 9);
    assert(atomic_load(&x) == 4294967295u);
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}

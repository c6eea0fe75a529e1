// verdict: true
// rules: all
// why: precision
//
// The builtins of gcc, old and new, with their results before or after.

#include <assert.h>

int x;
_Bool flag;

int main(void)
{
    int seen, expected = 7, desired = 8;

    assert(__sync_fetch_and_add(&x, 2) == 0);
    assert(__sync_sub_and_fetch(&x, 1) == 1);
    assert(__sync_bool_compare_and_swap(&x, 1, 5));
    assert(__sync_val_compare_and_swap(&x, 1, 6) == 5);
    assert(__sync_lock_test_and_set(&x, 3) == 5);
    __sync_lock_release(&x);
    __sync_synchronize();
    assert(__atomic_add_fetch(&x, 7, __ATOMIC_ACQ_REL) == 7);
    assert(__atomic_fetch_nand(&x, 7, __ATOMIC_RELAXED) == 7);
    assert(x == -8);
    __atomic_store_n(&x, 7, __ATOMIC_RELEASE);
    assert(__atomic_compare_exchange(&x, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    __atomic_load(&x, &seen, __ATOMIC_SEQ_CST);
    assert(seen == 8);
    __atomic_store(&x, &expected, __ATOMIC_SEQ_CST);
    __atomic_exchange(&x, &desired, &seen, __ATOMIC_SEQ_CST);
    assert(seen == 7 && x == 8);
    assert(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    assert(__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    assert(__atomic_always_lock_free(sizeof(int), 0));
    return 0;
}

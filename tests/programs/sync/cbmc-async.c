// verdict: true
// rules: all
// why: precision
//
// CBMC's primitives: threads that start at a label, atomic sections, assumptions, assertions.

#include <assert.h>

int lock, x;

void worker(int mine)
{
    __CPROVER_atomic_begin();
    __CPROVER_assume(lock == 0);
    lock = 1;
    __CPROVER_atomic_end();
    x = mine;
    __CPROVER_assert(x == mine, "alone");
    lock = 0;
}

int main(void)
{
    int mine = 1;

__CPROVER_ASYNC_1:
    worker(mine);
    mine = 2;
__CPROVER_ASYNC_2:
    worker(mine);
    return 0;
}

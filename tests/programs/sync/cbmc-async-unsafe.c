// verdict: false
// rules: all
// why: soundness
//
// The thread has the value that its argument had when it was started.

#include <assert.h>

int x;

int main(void)
{
    int mine = 1;

__CPROVER_ASYNC_1:
    x = mine;
    mine = 2;
    __CPROVER_assume(x != 0);
    __CPROVER_assert(x == 2, "copied");
    return 0;
}

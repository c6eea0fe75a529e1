// verdict: false
// rules: all
// why: soundness
//
// A thread writes x and then blocks for ever. The write is seen all the same: it must not be made one step with
// the block.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x;

void *change(void *arg)
{
    x = 1;
    __VERIFIER_assume(0);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, change, NULL);
    assert(x == 0);
    pthread_join(one, NULL);
    return 0;
}

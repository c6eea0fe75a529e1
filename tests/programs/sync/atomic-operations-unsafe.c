// verdict: false
// rules: all
// why: soundness
//
// An operator on an atomic object is one step, but `x = x + 1` is a load and a store.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int x;

void *worker(void *arg)
{
    x = x + 1;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}

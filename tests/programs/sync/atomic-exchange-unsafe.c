// verdict: false
// rules: all
// why: soundness
//
// Of two exchanges one sees the other's value, whichever comes first.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int seen;

void *worker(void *arg)
{
    if (atomic_exchange_explicit(&x, 1, memory_order_acq_rel) == 1)
        seen = 1;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(!seen);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Operators on an atomic object are one step, and weaker orders are those of the strongest.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int x;
atomic_uchar bits = 0x0f;

void *worker(void *arg)
{
    x += 2;
    atomic_fetch_xor_explicit(&bits, 0xf0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 4 && bits == 0x0f);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Fences order a thread's own accesses: they do not make two of them one.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, y;

void *worker(void *arg)
{
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    y = 1;
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, worker, NULL);
    int late = y;
    atomic_signal_fence(memory_order_acquire);
    int early = x;
    assert(late == early);
    pthread_join(one, NULL);
    return 0;
}

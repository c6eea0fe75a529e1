// verdict: true
// rules: all
// why: precision
//
// In a loop a weak compare-and-exchange counts as well as any.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *worker(void *arg)
{
    int seen = atomic_load(&x);

    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1))
        ;
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

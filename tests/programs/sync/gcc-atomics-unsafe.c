// verdict: false
// rules: all
// why: soundness
//
// A load, a sum and a store, each atomic, lose an update; __sync_fetch_and_add would not.

#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    int seen = __atomic_load_n(&x, __ATOMIC_ACQUIRE);

    __sync_synchronize();
    __atomic_store_n(&x, seen + 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(__sync_fetch_and_add(&x, 0) == 2);
    return 0;
}

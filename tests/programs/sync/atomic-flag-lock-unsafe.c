// verdict: false
// rules: all
// why: soundness
//
// The flag is tested once only.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int x;

void *worker(void *arg)
{
    atomic_flag_test_and_set_explicit(&lock, memory_order_acquire);
    x = 1;
    assert(x == 1);
    x = 0;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Exactly one of the threads is told that it is the serial one.

#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
_Atomic int told;

void *worker(void *arg)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        told++;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(told == 1);
    return 0;
}

// verdict: true
//
// THREADS threads do COUNT plain increments each, one shared access at a time: the sum is at most the number of them.
// Published with 2, 3 and 10 threads and 100 increments.

#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef COUNT
#define COUNT 100
#endif

int x;

void *worker(void *arg)
{
    for (int i = 0; i < COUNT; i++)
        x++;
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(x <= THREADS * COUNT);
    return 0;
}

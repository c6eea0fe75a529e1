// verdict: false
//
// As micro.c, but no increment may be lost.

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
    assert(x == THREADS * COUNT);
    return 0;
}

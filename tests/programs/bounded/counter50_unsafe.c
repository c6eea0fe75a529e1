// verdict: false
//
// Each thread adds one under a lock; it goes wrong with the last of them.

#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 50
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    assert(x < THREADS);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}

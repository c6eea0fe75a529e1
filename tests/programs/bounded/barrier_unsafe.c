// verdict: false
//
// Threads wait for one another at a barrier of a counter; who is woken does not look again whether all are there.

#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
int here, done;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    here++;
    if (here == THREADS)
        pthread_cond_broadcast(&all_here);
    else
        pthread_cond_wait(&all_here, &m);
    assert(here == THREADS);
    done++;
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

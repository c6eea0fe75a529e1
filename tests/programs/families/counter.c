// verdict: true
// rules: all
// why: precision
//
// N threads count under a mutex, again and again, and each finds the counter as it left it. Only who holds the mutex
// touches the counter, so that all steps under it are one; watched-counter.c is without that. families.csv says which N
// are studied.

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int before;

    while (1) {
        pthread_mutex_lock(&lock);
        before = counter;
        counter = before + 1;
        assert(counter == before + 1);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t workers[N];
    int i;

    for (i = 0; i < N; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    return 0;
}

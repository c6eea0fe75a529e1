// verdict: true
// rules: all
// why: precision
//
// N threads count under a mutex, again and again, and each finds the counter as it left it. main looks without the mutex,
// so that the threads' steps under it cannot be taken as one, and never sees it run backwards. families.csv says which N
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
    int i, seen;

    for (i = 0; i < N; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    seen = counter;
    assert(counter >= seen);
    return 0;
}

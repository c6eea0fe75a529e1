// verdict: true
// rules: monolithic
// why: precision
//
// A semaphore that starts with two lets two of three threads in, but not the third.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;
_Atomic int inside;

void *worker(void *arg)
{
    sem_wait(&s);
    inside++;
    assert(inside <= 2);
    inside--;
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];

    sem_init(&s, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    return 0;
}

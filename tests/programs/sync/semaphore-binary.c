// verdict: true
// rules: all
// why: precision
//
// A semaphore that starts with one is a lock.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

void *worker(void *arg)
{
    sem_wait(&s);
    x = 1;
    assert(x == 1);
    x = 0;
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    sem_init(&s, 0, 1);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    sem_destroy(&s);
    return 0;
}

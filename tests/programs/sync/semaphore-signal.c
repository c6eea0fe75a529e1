// verdict: true
// rules: all
// why: precision
//
// A post tells a waiter that the data is there.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ready;
int data;

void *producer(void *arg)
{
    data = 7;
    sem_post(&ready);
    return NULL;
}

void *consumer(void *arg)
{
    sem_wait(&ready);
    assert(data == 7);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    sem_init(&ready, 0, 0);
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

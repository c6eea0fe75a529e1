// verdict: true
// rules: all
// why: precision
//
// The value of a semaphore is what posts and waits leave.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *worker(void *arg)
{
    sem_post(&s);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    int value;
    
    sem_init(&s, 0, 0);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    sem_wait(&s);
    sem_getvalue(&s, &value);
    assert(value == 1);
    return 0;
}

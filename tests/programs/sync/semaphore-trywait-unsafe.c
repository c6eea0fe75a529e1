// verdict: false
// rules: all
// why: soundness
//
// Two tries on a semaphore of one: one of them fails.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *worker(void *arg)
{
    if (sem_trywait(&s) != 0)
        assert(0);
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
    return 0;
}

// verdict: true
// needs: level 1, counters
//
// A semaphore lets in three of any number of threads.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

sem_t places;
atomic_int inside;

void *visitor(void *unused)
{
    sem_wait(&places);
    atomic_fetch_add(&inside, 1);
    assert(inside <= 3);
    atomic_fetch_sub(&inside, 1);
    sem_post(&places);
    return 0;
}

int main(void)
{
    pthread_t t;

    sem_init(&places, 0, 3);
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, visitor, 0);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// A timed wait on a semaphore may fail.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s;
int x;

void *worker(void *arg)
{
    struct timespec until = { 0, 0 };

    sem_timedwait(&s, &until);
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
    return 0;
}

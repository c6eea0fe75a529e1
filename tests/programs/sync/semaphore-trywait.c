// verdict: true
// rules: all
// why: precision
//
// A try fails with -1, and errno says that there was nothing to take.

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *worker(void *arg)
{
    int code = sem_trywait(&s);

    if (code != 0)
        assert(code == -1 && errno == EAGAIN);
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

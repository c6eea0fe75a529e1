// verdict: true
// rules: all
// why: precision
//
// A timed wait ends with a code: either the condition holds or the time is over.

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *waiter(void *arg)
{
    struct timespec until;
    int code = 0;

    clock_gettime(CLOCK_REALTIME, &until);
    pthread_mutex_lock(&m);
    while (!ready && code == 0)
        code = pthread_cond_timedwait(&c, &m, &until);
    assert(ready || code == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, setter, NULL);
    pthread_create(&two, NULL, waiter, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

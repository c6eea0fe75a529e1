// verdict: true
// rules: all
// why: precision
//
// When a wait returns the thread holds the mutex again: nobody comes between its two writes.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x;

void *reader(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, waiter, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

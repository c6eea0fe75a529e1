// verdict: true
// rules: all
// why: precision
//
// A detached thread runs on; what it writes under the lock is seen under the lock.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, worker, NULL);
    pthread_detach(one);
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return 0;
}

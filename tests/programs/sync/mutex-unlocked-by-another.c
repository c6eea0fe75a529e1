// verdict: true
// rules: all
// why: precision
//
// Unlocking a mutex that another thread holds is undefined: what comes after it is not considered, and the verdict says so.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_unlock(&m);
    assert(0);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_mutex_lock(&m);
    pthread_create(&one, NULL, worker, NULL);
    pthread_join(one, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// The example of thread-modular model checking as under table1, with each thread running through it once instead
// of for ever.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x = 0;
    x = 1;
    assert(x >= 1);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// The example of thread-modular model checking, run once, with the same step wrong as in its unsafe sibling under
// table1.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x = 0;
    x = 1;
    pthread_mutex_unlock(&m);
    assert(x >= 1);
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

// verdict: false
// rules: all
// why: soundness
//
// A detached thread goes on by itself: nothing says that it is done.

#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    pthread_detach(pthread_self());
    x = 1;
    x = 0;
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, worker, NULL);
    assert(x == 0);
    return 0;
}

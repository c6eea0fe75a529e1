// verdict: false
// rules: all
// why: soundness
//
// spin2003 with the last two steps swapped: the lock is given back before x is looked at, so the other thread may
// have cleared x again.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        x = 0;
        x = 1;
        pthread_mutex_unlock(&m);
        assert(x >= 1);
    }
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

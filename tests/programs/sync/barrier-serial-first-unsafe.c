// verdict: false
// rules: all
// why: soundness
//
// Which thread is told is open: it need not be the last one to come.

#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int came, serial;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int last;

    pthread_mutex_lock(&m);
    came++;
    last = came == 2;
    pthread_mutex_unlock(&m);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        assert(last);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

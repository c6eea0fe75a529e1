// verdict: false
// rules: all
// why: soundness
//
// A barrier for two that three threads use: two pass, the third one need not have come.

#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
_Atomic int came;

void *worker(void *arg)
{
    came++;
    pthread_barrier_wait(&barrier);
    assert(came == 3);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];

    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    return 0;
}

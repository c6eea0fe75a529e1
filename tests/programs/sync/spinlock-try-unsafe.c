// verdict: false
// rules: all
// why: soundness
//
// A try on a spin lock may fail.

#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int x;

void *worker(void *arg)
{
    int code = pthread_spin_trylock(&lock);
    x = 1;
    assert(x == 1);
    x = 0;
    if (code == 0)
        pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_spin_init(&lock, 0);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

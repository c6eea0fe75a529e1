// verdict: true
// rules: all
// why: precision
//
// A spin lock is a mutex.

#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int x;

void *worker(void *arg)
{
    pthread_spin_lock(&lock);
    x = 1;
    assert(x == 1);
    x = 0;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

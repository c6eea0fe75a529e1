// verdict: false
// rules: all
// why: soundness
//
// The writer holds the spin lock, the reader does not.

#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int x;

void *writer(void *arg)
{
    pthread_spin_lock(&lock);
    x = 1;
    x = 0;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&one, NULL, writer, NULL);
    assert(x == 0);
    pthread_join(one, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A mutex in a struct, reached through a pointer.

#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance, shadow;
} account = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

void deposit(struct account *to, int amount)
{
    pthread_mutex_lock(&to->lock);
    to->balance += amount;
    to->shadow += amount;
    assert(to->balance == to->shadow);
    pthread_mutex_unlock(&to->lock);
}

void *worker(void *arg)
{
    deposit(arg, 2);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, &account);
    pthread_create(&two, NULL, worker, &account);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// They may wait for one another for ever, but they need not.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t forks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int eating;

void *one(void *arg)
{
    pthread_mutex_lock(&forks[0]);
    pthread_mutex_lock(&forks[1]);
    eating++;
    assert(eating == 1);
    eating--;
    pthread_mutex_unlock(&forks[1]);
    pthread_mutex_unlock(&forks[0]);
    return NULL;
}

void *other(void *arg)
{
    pthread_mutex_lock(&forks[1]);
    pthread_mutex_lock(&forks[0]);
    eating++;
    assert(eating == 1);
    eating--;
    pthread_mutex_unlock(&forks[0]);
    pthread_mutex_unlock(&forks[1]);
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(0);
    return 0;
}

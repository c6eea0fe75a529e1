// verdict: false
// rules: all
// why: soundness
//
// Unlocked as often as it was locked, a recursive mutex is free.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
int x;

void inner(void)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x = 0;
    inner();
    pthread_mutex_unlock(&m);
    assert(x == 1);
    
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_mutexattr_t attribute;

    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attribute);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

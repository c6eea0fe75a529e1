// verdict: true
// rules: all
// why: precision
//
// Each thread holds the mutex that the other needs, and makes sure of it: both are stuck, and neither reaches the
// error behind.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int left, right;

void *up(void *arg)
{
    pthread_mutex_lock(&m);
    left = 1;
    while (!right)
        ;
    pthread_mutex_lock(&n);
    assert(0);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *down(void *arg)
{
    pthread_mutex_lock(&n);
    right = 1;
    while (!left)
        ;
    pthread_mutex_lock(&m);
    assert(0);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, up, NULL);
    pthread_create(&two, NULL, down, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Without the wait for one another, two threads that lock in opposite orders need not get stuck: the error behind
// is reached.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *up(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x = x + 1;
    assert(x < 2);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *down(void *arg)
{
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    x = x + 1;
    assert(x < 2);
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

// verdict: false
// rules: all
// why: soundness
//
// Two increments under two different mutexes: a lock protects only against those who take the same one.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *left(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

void *right(void *arg)
{
    pthread_mutex_lock(&n);
    x++;
    pthread_mutex_unlock(&n);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}

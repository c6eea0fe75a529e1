// verdict: true
// rules: all
// why: precision
//
// A writer takes both mutexes, a reader either: readers may overlap, the writer is alone.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *change(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *read_one(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x == y);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *read_two(void *arg)
{
    pthread_mutex_lock(&n);
    assert(x == y);
    pthread_mutex_unlock(&n);
    return NULL;
}

int main(void)
{
    pthread_t one, two, three;

    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, read_one, NULL);
    pthread_create(&three, NULL, read_two, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}

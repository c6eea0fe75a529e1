// verdict: false
// rules: all
// why: soundness
//
// The writer gives the first mutex back as soon as it has the second: readers that take the first can look in
// between.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *change(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&m);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&n);
    return NULL;
}

void *read_one(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x == y);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, read_one, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

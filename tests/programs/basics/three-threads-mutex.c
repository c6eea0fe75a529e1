// verdict: true
// rules: all
// why: precision
//
// Three threads under one mutex. A thread-modular proof exists only if the mutex tells who holds it, not merely
// that it is held.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int c, x;

void *first(void *arg)
{
    pthread_mutex_lock(&m);
    c = c + 1;
    x = 1;
    assert(x == 1);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *second(void *arg)
{
    pthread_mutex_lock(&m);
    c = c + 1;
    x = 2;
    assert(x == 2);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *third(void *arg)
{
    pthread_mutex_lock(&m);
    c = c + 1;
    x = 3;
    assert(x == 3);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two, three;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_create(&three, NULL, third, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}

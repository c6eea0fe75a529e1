// verdict: false
// rules: all
// why: soundness
//
// Three threads of which the third does not take the mutex.

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
    c = c + 1;
    x = 3;
    assert(x == 3);
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

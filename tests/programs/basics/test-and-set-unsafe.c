// verdict: false
// rules: all
// why: soundness
//
// A spin lock whose test and set are two steps.

#include <assert.h>
#include <pthread.h>

int locked, x;

int test_and_set(void)
{
    int old = locked;

    locked = 1;
    return old;
}

void *first(void *arg)
{
    while (test_and_set())
        ;
    x = 1;
    assert(x == 1);
    locked = 0;
    return NULL;
}

void *second(void *arg)
{
    while (test_and_set())
        ;
    x = 2;
    assert(x == 2);
    locked = 0;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

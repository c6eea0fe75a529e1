// verdict: true
// rules: all
// why: precision
//
// A spin lock by an atomic test-and-set.

#include <assert.h>
#include <pthread.h>

int locked, x;

int __VERIFIER_atomic_test_and_set(void)
{
    int old = locked;

    locked = 1;
    return old;
}

void *first(void *arg)
{
    while (__VERIFIER_atomic_test_and_set())
        ;
    x = 1;
    assert(x == 1);
    locked = 0;
    return NULL;
}

void *second(void *arg)
{
    while (__VERIFIER_atomic_test_and_set())
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

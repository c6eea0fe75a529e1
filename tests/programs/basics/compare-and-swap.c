// verdict: true
// rules: all
// why: precision
//
// A spin lock that holds its owner, taken by compare-and-swap, for ever.

#include <assert.h>
#include <pthread.h>

int lock, x;

int __VERIFIER_atomic_take(int who)
{
    if (lock != 0)
        return 0;
    lock = who;
    return 1;
}

void *first(void *arg)
{
    while (1) {
        while (!__VERIFIER_atomic_take(1))
            ;
        x = 1;
        assert(x == 1);
        lock = 0;
    }
    return NULL;
}

void *second(void *arg)
{
    while (1) {
        while (!__VERIFIER_atomic_take(2))
            ;
        x = 2;
        assert(x == 2);
        lock = 0;
    }
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

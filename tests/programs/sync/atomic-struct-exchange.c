// verdict: true
// rules: all
// why: precision
//
// Compare-and-exchange compares and replaces a struct as a whole: both count together, and nothing is lost.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

_Atomic struct pair p;

void increment(void)
{
    struct pair old = atomic_load(&p), new;

    do {
        new.left = old.left + 1;
        new.right = old.right + 1;
    } while (!atomic_compare_exchange_strong(&p, &old, new));
}

void *first(void *arg)
{
    increment();
    return NULL;
}

void *second(void *arg)
{
    increment();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    struct pair v = p;
    assert(v.left == 2 && v.right == 2);
    return 0;
}

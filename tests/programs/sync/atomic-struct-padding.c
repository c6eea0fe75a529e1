// verdict: true
// rules: all
// why: precision
//
// Padding is compared too. A weak compare-and-exchange may fail anyway, so that it does not matter.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct tagged {
    char tag;
    int count;
};

_Atomic struct tagged t;

void increment(void)
{
    struct tagged old = t, new;

    do {
        new = old;
        new.tag = 1;
        new.count++;
    } while (!atomic_compare_exchange_weak(&t, &old, new));
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
    struct tagged v = t;
    assert(v.tag == 1 && v.count == 2);
    return 0;
}

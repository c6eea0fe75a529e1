// verdict: true
// rules: monolithic
// why: precision
//
// The producer sends 0, 1, 2 .. through a slot; the consumer receives them in order. The numbers are unbounded.

#include <assert.h>
#include <pthread.h>

int slot, full;

void *produce(void *arg)
{
    int n = 0;

    while (1) {
        while (full)
            ;
        slot = n;
        n = n + 1;
        full = 1;
    }
    return NULL;
}

void *consume(void *arg)
{
    int expected = 0;

    while (1) {
        while (!full)
            ;
        assert(slot == expected);
        expected = expected + 1;
        full = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, produce, NULL);
    pthread_create(&two, NULL, consume, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// One slot and a flag: the producer fills the empty slot, the consumer empties the full one, for ever.

#include <assert.h>
#include <pthread.h>

int slot, full;

void *produce(void *arg)
{
    int n = 0;

    while (1) {
        while (full)
            ;
        slot = 7;
        n = slot;
        assert(n == 7);
        full = 1;
    }
    return NULL;
}

void *consume(void *arg)
{
    while (1) {
        while (!full)
            ;
        assert(slot == 7);
        slot = 0;
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

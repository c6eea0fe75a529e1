// verdict: false
// rules: all
// why: soundness
//
// The consumer declares the slot empty before it has emptied it.

#include <assert.h>
#include <pthread.h>

int slot, full;

void *produce(void *arg)
{
    while (1) {
        while (full)
            ;
        slot = 7;
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
        full = 0;
        slot = 0;
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

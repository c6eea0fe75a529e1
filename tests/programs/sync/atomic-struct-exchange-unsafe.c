// verdict: false
// rules: all
// why: soundness
//
// The comparison is one of all members: whoever changed only the second is noticed, and then nothing is stored.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

_Atomic struct pair p;

void *first(void *arg)
{
    struct pair old = { 0, 0 };

    if (!atomic_compare_exchange_strong(&p, &old, ((struct pair){ 1, 0 })))
        assert(old.right == 0);
    return NULL;
}

void *second(void *arg)
{
    p = (struct pair){ 0, 1 };
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

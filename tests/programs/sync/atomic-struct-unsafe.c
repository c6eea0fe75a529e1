// verdict: false
// rules: all
// why: soundness
//
// A load and a store of an `_Atomic` struct are two steps: an update between them is lost.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

_Atomic struct pair p;

void increment(void)
{
    struct pair v = p;

    v.left++;
    v.right++;
    p = v;
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
    assert(v.left == 2);
    return 0;
}

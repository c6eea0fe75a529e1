// verdict: false
// rules: all
// why: soundness
//
// However large a struct is: a load and a store are two steps, each of them whole.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct large {
    int x[5];
};

_Atomic struct large l;

void *first(void *arg)
{
    struct large v = l;

    v.x[0]++;
    v.x[4]++;
    l = v;
    return NULL;
}

void *second(void *arg)
{
    struct large v = { { 5, 0, 0, 0, 5 } };

    l = v;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    struct large v = l;
    assert(v.x[0] >= 5 || v.x[4] >= 5);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A thread creates and joins another one; what the inner one did is there when the outer one is joined.

#include <assert.h>
#include <pthread.h>

int x;

void *inner(void *arg)
{
    x = x + 1;
    return NULL;
}

void *outer(void *arg)
{
    pthread_t child;

    pthread_create(&child, NULL, inner, NULL);
    pthread_join(child, NULL);
    x = x + 1;
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, outer, NULL);
    pthread_join(one, NULL);
    assert(x == 2);
    return 0;
}

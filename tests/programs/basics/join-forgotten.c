// verdict: false
// rules: all
// why: soundness
//
// The outer thread ends without waiting for the thread it created, so that joining it says nothing about that one.

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
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, outer, NULL);
    pthread_join(one, NULL);
    assert(x == 1);
    return 0;
}

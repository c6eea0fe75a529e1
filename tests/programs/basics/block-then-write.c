// verdict: true
// rules: all
// why: precision
//
// A thread that blocks before its write never writes.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x;

void *change(void *arg)
{
    __VERIFIER_assume(0);
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, change, NULL);
    assert(x == 0);
    pthread_join(one, NULL);
    return 0;
}

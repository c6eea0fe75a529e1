// verdict: true
// rules: all
// why: precision
//
// Joining a thread that is blocked for ever never returns.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x;

void *stuck(void *arg)
{
    __VERIFIER_assume(x != 0);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, stuck, NULL);
    pthread_join(one, NULL);
    assert(0);
    return 0;
}

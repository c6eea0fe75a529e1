// verdict: true
// rules: all
// why: precision
//
// The start routine comes from a variable that can hold either of two functions.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x;

void *one_up(void *arg)
{
    x = x + 1;
    return NULL;
}

void *two_up(void *arg)
{
    x = x + 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *(*start)(void *) = one_up;

    if (__VERIFIER_nondet_int())
        start = two_up;
    pthread_create(&t, NULL, start, NULL);
    pthread_join(t, NULL);
    assert(x == 1 || x == 2);
    return 0;
}

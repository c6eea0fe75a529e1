// verdict: true
// rules: all
// why: precision
//
// A counter that only grows becomes negative only by signed overflow: undefined behaviour, no error.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x;

void *count(void *arg)
{
    while (__VERIFIER_nondet_int())
        x = x + 1;
    return NULL;
}

void *look(void *arg)
{
    assert(x >= 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, count, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

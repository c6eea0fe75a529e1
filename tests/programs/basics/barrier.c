// verdict: true
// rules: all
// why: precision
//
// A barrier by a counter: behind it, each thread sees what the other wrote before it.

#include <assert.h>
#include <pthread.h>

int arrived;
int a, b;

void __VERIFIER_atomic_arrive(void)
{
    arrived = arrived + 1;
}

void *left(void *arg)
{
    a = 1;
    __VERIFIER_atomic_arrive();
    while (arrived < 2)
        ;
    assert(b == 1);
    return NULL;
}

void *right(void *arg)
{
    b = 1;
    __VERIFIER_atomic_arrive();
    while (arrived < 2)
        ;
    assert(a == 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

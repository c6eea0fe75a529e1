// verdict: true
// rules: all
// why: precision
//
// An atomic section that blocks does not reach the assertion behind it, nor show what it wrote.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int x;

void *stuck(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_assume(0);
    assert(0);
    __VERIFIER_atomic_end();
    return NULL;
}

void *look(void *arg)
{
    assert(x == 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, stuck, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A semaphore made of atomic blocks, with one permit.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int permits = 1;
int inside;

void __VERIFIER_atomic_down(void)
{
    __VERIFIER_assume(permits > 0);
    permits = permits - 1;
}

void __VERIFIER_atomic_up(void)
{
    permits = permits + 1;
}

void __VERIFIER_atomic_enter(void)
{
    inside = inside + 1;
    assert(inside <= 1);
}

void __VERIFIER_atomic_leave(void)
{
    inside = inside - 1;
}

void *work(void *arg)
{
    __VERIFIER_atomic_down();
    __VERIFIER_atomic_enter();
    __VERIFIER_atomic_leave();
    __VERIFIER_atomic_up();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

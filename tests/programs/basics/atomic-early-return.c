// verdict: true
// rules: all
// why: precision
//
// An early return from a function that is atomic by its name ends the atomic section: the other thread goes on.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x, done;

void __VERIFIER_atomic_step(void)
{
    if (x == 0) {
        x = 1;
        return;
    }
    x = 2;
}

void *step(void *arg)
{
    __VERIFIER_atomic_step();
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, step, NULL);
    __VERIFIER_assume(done == 1);
    assert(x == 1);
    pthread_join(one, NULL);
    return 0;
}

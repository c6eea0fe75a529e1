// verdict: false
// rules: all
// why: soundness
//
// After the early return from an atomic function the other thread can run: it sees x = 1 while the first has not
// gone on.

#include <assert.h>
#include <pthread.h>

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

void *look(void *arg)
{
    if (x == 1)
        assert(done == 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, step, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

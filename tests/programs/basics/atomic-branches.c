// verdict: true
// rules: all
// why: precision
//
// An atomic section with branches: whichever way it goes, others see x and y change together.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

int x, y;

void *move(void *arg)
{
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_int()) {
        x = 1;
        y = 1;
    } else if (x == 0) {
        x = 2;
        y = 2;
    }
    __VERIFIER_atomic_end();
    return NULL;
}

void *look(void *arg)
{
    __VERIFIER_atomic_begin();
    assert(x == y);
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, move, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

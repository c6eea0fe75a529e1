// verdict: true
// rules: all
// why: precision
//
// An atomic section with a loop of unknown length: x and y still agree when it is over.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

int x, y;

void *climb(void *arg)
{
    __VERIFIER_atomic_begin();
    while (__VERIFIER_nondet_int()) {
        x = x + 1;
        y = y + 1;
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

    pthread_create(&one, NULL, climb, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// An inner atomic section ends without ending the outer one.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void __VERIFIER_atomic_bump(void)
{
    x = x + 1;
}

void *move(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_bump();
    y = y + 1;
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

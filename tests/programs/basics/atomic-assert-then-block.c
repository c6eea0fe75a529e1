// verdict: false
// rules: all
// why: soundness
//
// An assertion in an atomic section fails even though the section never comes to its end.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int x;

void *fail(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    assert(x == 0);
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, fail, NULL);
    pthread_join(one, NULL);
    return 0;
}

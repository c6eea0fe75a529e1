// verdict: true
// rules: all
// why: precision
//
// a and b are never both set, and both are read in one atomic section.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int a, b;

void *swap(void *arg)
{
    a = 1;
    a = 0;
    b = 1;
    b = 0;
    return NULL;
}

void *look(void *arg)
{
    __VERIFIER_atomic_begin();
    assert(!(a && b));
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, swap, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

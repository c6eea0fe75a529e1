// verdict: true
// rules: all
// why: precision
//
// An atomic section with a loop: others see none of its rounds or all of them.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void *climb(void *arg)
{
    int k;

    __VERIFIER_atomic_begin();
    for (k = 0; k < 3; k++) {
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
    assert(x == 0 || x == 3);
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

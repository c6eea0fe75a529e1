// verdict: false
// rules: all
// why: soundness
//
// pthread_exit in main ends main only: the other thread goes on without it.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int left;

void *go_on(void *arg)
{
    __VERIFIER_assume(left == 1);
    assert(0);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, go_on, NULL);
    left = 1;
    pthread_exit(NULL);
}

// verdict: false
// rules: all
// why: soundness
//
// Two pointers that need not point to different variables: a write through one may change what the other shows.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x, y;
int *p = &x, *q;

void *work(void *arg)
{
    *p = 1;
    *q = 2;
    assert(*p == 1);
    return NULL;
}

int main(void)
{
    pthread_t one;

    q = __VERIFIER_nondet_int() ? &x : &y;
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Two threads write to an array at indices that are not known, but differ.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int a[4];
int i, j;

void *left(void *arg)
{
    a[i] = 1;
    assert(a[i] == 1);
    return NULL;
}

void *right(void *arg)
{
    a[j] = 2;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    i = __VERIFIER_nondet_int();
    j = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 4);
    __VERIFIER_assume(j >= 0 && j < 4);
    __VERIFIER_assume(i != j);
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// main assumes x == 0 || y == 0 about shared variables; the thread it then creates asserts the same, and a second
// one touches neither.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int x, y, z;

void *look(void *arg)
{
    assert(x == 0 || y == 0);
    return NULL;
}

void *other(void *arg)
{
    z = 1;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x == 0 || y == 0);
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A function without a body and of that name gives equal values for equal arguments.

#include <assert.h>
#include <pthread.h>

int __CPROVER_uninterpreted_hash(int key);
int key, first, second;

void *left(void *arg)
{
    first = __CPROVER_uninterpreted_hash(key);
    return NULL;
}

void *right(void *arg)
{
    second = __CPROVER_uninterpreted_hash(key);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    key = __VERIFIER_nondet_int();
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(first == second);
    return 0;
}

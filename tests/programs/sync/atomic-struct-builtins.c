// verdict: true
// rules: all
// why: precision
//
// gcc's builtins that take addresses act on any struct as a whole.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

struct pair p;

void *change(void *arg)
{
    struct pair v = { 1, 1 }, old = { 1, 1 };

    __atomic_store(&p, &v, __ATOMIC_SEQ_CST);
    v = (struct pair){ 2, 2 };
    __atomic_compare_exchange(&p, &old, &v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return NULL;
}

void *look(void *arg)
{
    struct pair v;

    __atomic_load(&p, &v, __ATOMIC_SEQ_CST);
    assert(v.left == v.right);
    __atomic_exchange(&p, &v, &v, __ATOMIC_SEQ_CST);
    assert(v.left == v.right);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

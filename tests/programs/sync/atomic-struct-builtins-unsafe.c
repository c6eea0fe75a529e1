// verdict: false
// rules: all
// why: soundness
//
// Whoever stores the members of a plain struct does so one after the other: a load of the whole may come between.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

struct pair p;

void *change(void *arg)
{
    p.left = 1;
    p.right = 1;
    return NULL;
}

void *look(void *arg)
{
    struct pair v;

    __atomic_load(&p, &v, __ATOMIC_SEQ_CST);
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

// verdict: false
// rules: all
// why: soundness
//
// Two loads through a pointer are two steps, between which the struct changes.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

_Atomic struct pair p, q;
_Atomic struct pair *chosen = &p;

extern int __VERIFIER_nondet_int(void);

void *change(void *arg)
{
    atomic_store(chosen, ((struct pair){ 1, 1 }));
    return NULL;
}

void *look(void *arg)
{
    struct pair v = *chosen, w = atomic_load(chosen);

    assert(v.left == w.right);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    if (__VERIFIER_nondet_int())
        chosen = &q;
    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// An `_Atomic` struct is also accessed whole through a pointer, whichever of two it points to.

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
    *chosen = (struct pair){ 2, 2 };
    return NULL;
}

void *look(void *arg)
{
    struct pair v = *chosen;

    assert(v.left == v.right);
    v = atomic_exchange(&q, v);
    assert(v.left == v.right);
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

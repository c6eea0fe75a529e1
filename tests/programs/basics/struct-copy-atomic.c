// verdict: true
// rules: all
// why: precision
//
// A struct that is written and copied in atomic sections comes over whole.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct pair {
    int left, right;
};

struct pair p;

void *change(void *arg)
{
    __VERIFIER_atomic_begin();
    p.left = 1;
    p.right = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

void *copy(void *arg)
{
    struct pair q;

    __VERIFIER_atomic_begin();
    q = p;
    __VERIFIER_atomic_end();
    assert(q.left == q.right);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, copy, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

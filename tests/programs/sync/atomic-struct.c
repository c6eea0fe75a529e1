// verdict: true
// rules: all
// why: precision
//
// An `_Atomic` struct is stored and loaded whole: nobody sees one member of a value without the other.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

_Atomic struct pair p;

void *change(void *arg)
{
    struct pair v = { 1, 1 };

    p = v;
    p = (struct pair){ 2, 2 };
    return NULL;
}

void *look(void *arg)
{
    struct pair v = p;

    assert(v.left == v.right);
    v = p;
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

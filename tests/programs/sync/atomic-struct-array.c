// verdict: true
// rules: all
// why: precision
//
// Elements of an array, members of a struct and blocks of the heap that are `_Atomic` structs are accessed whole.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    short left, right;
};

struct item {
    int key;
    _Atomic struct pair value;
};

_Atomic struct pair row[2];
struct item item;
_Atomic struct pair *block;
int place;

int same(struct pair v)
{
    return v.left == v.right;
}

struct pair get(void)
{
    return item.value;
}

void *change(void *arg)
{
    struct pair v = { 1, 1 };

    row[place] = v;
    item.value = v;
    *block = v;
    return NULL;
}

void *look(void *arg)
{
    assert(same(row[place]));
    assert(same(get()));
    assert(same(*block));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    extern int __VERIFIER_nondet_int(void);

    block = malloc(sizeof *block);
    atomic_init(block, ((struct pair){ 0, 0 }));
    place = __VERIFIER_nondet_int() != 0;
    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

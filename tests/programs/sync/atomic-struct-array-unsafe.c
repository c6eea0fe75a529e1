// verdict: false
// rules: all
// why: soundness
//
// An `_Atomic` struct from a plain one: the members of that one are read one after the other, then they are stored at once.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

struct pair plain;
_Atomic struct pair row[2];

void *change(void *arg)
{
    plain.left = 1;
    plain.right = 1;
    return NULL;
}

void *look(void *arg)
{
    struct pair v;

    row[1] = plain;
    v = row[1];
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

// verdict: false
// rules: all
// why: soundness
//
// A struct is copied field by field: a copy taken during an update mixes old and new.

#include <assert.h>
#include <pthread.h>

struct pair {
    int left, right;
};

struct pair p;

void *change(void *arg)
{
    p.left = 1;
    p.right = 1;
    return NULL;
}

void *copy(void *arg)
{
    struct pair q;

    q = p;
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

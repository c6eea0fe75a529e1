// verdict: false
// rules: all
// why: soundness
//
// A plain struct that is stored whole is still copied member by member.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    short left, right;
};

struct pair p;

void *change(void *arg)
{
    struct pair v = { 1, 1 };

    __atomic_store(&p, &v, __ATOMIC_SEQ_CST);
    return NULL;
}

void *look(void *arg)
{
    struct pair v = p;

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

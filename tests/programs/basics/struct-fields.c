// verdict: true
// rules: all
// why: precision
//
// Fields of a shared struct are separate variables: two threads write one each and neither disturbs the other.

#include <assert.h>
#include <pthread.h>

struct pair {
    int left, right;
};

struct pair p;

void *write_left(void *arg)
{
    p.left = 1;
    assert(p.left == 1);
    return NULL;
}

void *write_right(void *arg)
{
    p.right = 2;
    assert(p.right == 2);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, write_left, NULL);
    pthread_create(&two, NULL, write_right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(p.left + p.right == 3);
    return 0;
}

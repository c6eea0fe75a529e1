// verdict: false
// rules: all
// why: soundness
//
// The results of two threads are taken for one another.

#include <assert.h>
#include <pthread.h>

int a = 4, b = 5;

void *left(void *arg)
{
    return &a;
}

void *right(void *arg)
{
    return &b;
}

int main(void)
{
    pthread_t one, two;
    void *p, *q;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(two, &p);
    pthread_join(one, &q);
    assert(*(int *)p == 4);
    return 0;
}

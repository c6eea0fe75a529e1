// verdict: true
// rules: all
// why: precision
//
// The pointer that a thread returns, and the one it gives to pthread_exit, arrive through pthread_join.

#include <assert.h>
#include <pthread.h>

int a, b;

void *left(void *arg)
{
    a = 4;
    return &a;
}

void *right(void *arg)
{
    b = 5;
    pthread_exit(&b);
    b = 6;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    void *p, *q;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, &p);
    pthread_join(two, &q);
    assert(*(int *)p == 4);
    assert(*(int *)q == 5);
    return 0;
}

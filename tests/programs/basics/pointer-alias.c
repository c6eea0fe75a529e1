// verdict: true
// rules: all
// why: precision
//
// Two pointers to one variable: what is written through one is read through the other.

#include <assert.h>
#include <pthread.h>

int x;
int *p = &x, *q = &x;

void *work(void *arg)
{
    *p = 1;
    assert(*q == 1);
    assert(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, NULL);
    return 0;
}

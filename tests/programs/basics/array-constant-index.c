// verdict: true
// rules: all
// why: precision
//
// Elements of an array at constant indices are separate variables.

#include <assert.h>
#include <pthread.h>

int a[2];

void *low(void *arg)
{
    a[0] = 1;
    assert(a[0] == 1);
    return NULL;
}

void *high(void *arg)
{
    a[1] = 2;
    assert(a[1] == 2);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, low, NULL);
    pthread_create(&two, NULL, high, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(a[0] == 1 && a[1] == 2);
    return 0;
}

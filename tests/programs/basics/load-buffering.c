// verdict: true
// rules: all
// why: precision
//
// Each thread reads the other variable and then writes its own: they cannot both have read what was written later.

#include <assert.h>
#include <pthread.h>

int x, y, a, b;

void *left(void *arg)
{
    a = y;
    x = 1;
    return NULL;
}

void *right(void *arg)
{
    b = x;
    y = 1;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(!(a == 1 && b == 1));
    return 0;
}

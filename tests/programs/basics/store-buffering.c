// verdict: true
// rules: all
// why: precision
//
// Each thread writes its variable and reads the other: under sequential consistency at least one sees the write.

#include <assert.h>
#include <pthread.h>

int x, y, a, b;

void *left(void *arg)
{
    x = 1;
    a = y;
    return NULL;
}

void *right(void *arg)
{
    y = 1;
    b = x;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(a == 1 || b == 1);
    return 0;
}

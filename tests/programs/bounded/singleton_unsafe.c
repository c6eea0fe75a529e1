// verdict: false
//
// One thread creates others that write characters to a place that the first of them allocates; main expects the last one.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

char *v;

void *allocate(void *arg)
{
    v = malloc(1);
    return 0;
}

void *write_x(void *arg)
{
    *v = 'X';
    return 0;
}

void *write_y(void *arg)
{
    *v = 'Y';
    return 0;
}

void *all(void *arg)
{
    pthread_t a, x, y, z;
    pthread_create(&a, 0, allocate, 0);
    pthread_join(a, 0);
    pthread_create(&x, 0, write_x, 0);
    pthread_create(&y, 0, write_y, 0);
    pthread_create(&z, 0, write_x, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    pthread_join(z, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, all, 0);
    pthread_join(t, 0);
    assert(*v == 'X');
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A barrier can be used again: two rounds.

#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int a, b;

void *left(void *arg)
{
    a = 1;
    pthread_barrier_wait(&barrier);
    assert(b == 1);
    pthread_barrier_wait(&barrier);
    a = 2;
    return NULL;
}

void *right(void *arg)
{
    b = 1;
    pthread_barrier_wait(&barrier);
    assert(a == 1);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// x++ reads and writes x in two steps, so that one of two increments may be lost.

#include <assert.h>
#include <pthread.h>

int x;

void *add(void *arg)
{
    x++;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}

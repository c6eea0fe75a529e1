// verdict: false
// rules: all
// why: soundness
//
// A thread writes x and then runs into a local endless loop: the write is seen all the same.

#include <assert.h>
#include <pthread.h>

int x;

void *change(void *arg)
{
    x = 1;
    while (1)
        ;
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, change, NULL);
    assert(x == 0);
    pthread_join(one, NULL);
    return 0;
}

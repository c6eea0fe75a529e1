// verdict: false
// rules: all
// why: soundness
//
// The thread that is joined is not the one whose result is used.

#include <assert.h>
#include <pthread.h>

int x;

void *writer(void *arg)
{
    x = 1;
    return NULL;
}

void *idle(void *arg)
{
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, idle, NULL);
    pthread_join(two, NULL);
    assert(x == 1);
    pthread_join(one, NULL);
    return 0;
}

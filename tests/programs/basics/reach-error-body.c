// verdict: false
// rules: all
// why: soundness
//
// A call of reach_error is the error whatever its body does; this one asserts.

#include <assert.h>
#include <pthread.h>

extern void abort(void);

void reach_error(void)
{
    assert(0);
}

int x;

void *work(void *arg)
{
    x = 1;
    if (x != 1)
        goto ERROR;
    return NULL;
ERROR:
    reach_error();
    abort();
    return NULL;
}

void *other(void *arg)
{
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// reach_error with a body, behind an ERROR label that is not reached.

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
    if (x == 0)
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

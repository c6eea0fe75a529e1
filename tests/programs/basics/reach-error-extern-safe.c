// verdict: true
// rules: all
// why: precision
//
// A call of reach_error is the error; the only one is never reached.

#include <pthread.h>

extern void reach_error(void);

int x;

void *work(void *arg)
{
    x = 1;
    if (x == 3)
        reach_error();
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

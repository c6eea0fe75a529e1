// verdict: false
// rules: all
// why: soundness
//
// A call of reach_error is the error; here it is only declared.

#include <pthread.h>

extern void reach_error(void);

int x;

void *work(void *arg)
{
    x = 1;
    if (x == 2)
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

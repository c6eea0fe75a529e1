// verdict: false
//
// Behind THREADS threads that do nothing of interest there is one that races with main.

#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 100
#endif

int idle, flag, seen;

void *other(void *arg)
{
    idle = 1;
    return 0;
}

void *last(void *arg)
{
    if (flag == 1)
        seen = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t, 0, other, 0);
    pthread_create(&t, 0, last, 0);
    flag = 1;
    flag = 2;
    assert(seen == 0);
    return 0;
}

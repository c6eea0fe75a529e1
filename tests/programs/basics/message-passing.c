// verdict: true
// rules: all
// why: precision
//
// Data, then a flag: who sees the flag sees the data, because memory is sequentially consistent.

#include <assert.h>
#include <pthread.h>

int data, flag;

void *post(void *arg)
{
    data = 1;
    flag = 1;
    return NULL;
}

void *fetch(void *arg)
{
    if (flag)
        assert(data == 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, post, NULL);
    pthread_create(&two, NULL, fetch, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

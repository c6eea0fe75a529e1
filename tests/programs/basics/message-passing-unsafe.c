// verdict: false
// rules: all
// why: soundness
//
// The flag, then the data: who sees the flag need not see the data.

#include <assert.h>
#include <pthread.h>

int data, flag;

void *post(void *arg)
{
    flag = 1;
    data = 1;
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

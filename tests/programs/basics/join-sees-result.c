// verdict: true
// rules: all
// why: precision
//
// After the join, main sees the last value the thread wrote.

#include <assert.h>
#include <pthread.h>

int x;

void *change(void *arg)
{
    x = 1;
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, change, NULL);
    pthread_join(one, NULL);
    assert(x == 2);
    return 0;
}

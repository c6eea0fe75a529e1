// verdict: true
// rules: all
// why: precision
//
// Each thread has its own copy of a local, although both run one function.

#include <assert.h>
#include <pthread.h>

int x;

void *work(void *arg)
{
    int n = 0;

    n = n + 1;
    x = n;
    n = n + 1;
    assert(n == 2);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 1);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// The second thread is created after the first has been joined: they never overlap.

#include <assert.h>
#include <pthread.h>

int x;

void *bump(void *arg)
{
    x = x + 1;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, bump, NULL);
    pthread_join(one, NULL);
    assert(x == 1);
    pthread_create(&two, NULL, bump, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}

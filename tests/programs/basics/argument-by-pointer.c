// verdict: true
// rules: all
// why: precision
//
// A pointer to main's local is the thread argument: the local is shared, and after the join main sees what the
// thread wrote.

#include <assert.h>
#include <pthread.h>

void *change(void *arg)
{
    int *p = arg;

    assert(*p == 1);
    *p = 2;
    return NULL;
}

int main(void)
{
    pthread_t one;
    int n = 1;

    pthread_create(&one, NULL, change, &n);
    pthread_join(one, NULL);
    assert(n == 2);
    return 0;
}

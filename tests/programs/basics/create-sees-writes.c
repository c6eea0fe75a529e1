// verdict: true
// rules: all
// why: precision
//
// What main wrote before the creation is there when the thread starts.

#include <assert.h>
#include <pthread.h>

int x;

void *look(void *arg)
{
    assert(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t one;

    x = 1;
    pthread_create(&one, NULL, look, NULL);
    pthread_join(one, NULL);
    return 0;
}

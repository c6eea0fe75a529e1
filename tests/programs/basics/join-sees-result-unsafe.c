// verdict: false
// rules: all
// why: soundness
//
// Before the join, main may see a value the thread wrote on the way.

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
    assert(x != 1);
    pthread_join(one, NULL);
    return 0;
}

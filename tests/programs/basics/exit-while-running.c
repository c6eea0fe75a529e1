// verdict: false
// rules: all
// why: soundness
//
// main calls exit while a thread runs: the thread may be quicker.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *fail(void *arg)
{
    assert(0);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, fail, NULL);
    exit(0);
}

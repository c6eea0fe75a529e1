// verdict: true
// rules: all
// why: precision
//
// exit ends the process: what stands behind it is not reached, and the thread that would be created there never
// runs.

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

    exit(0);
    pthread_create(&one, NULL, fail, NULL);
    assert(0);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Three instances of one function, created in a loop, whose updates can be lost.

#include <assert.h>
#include <pthread.h>

int x;

void *work(void *arg)
{
    int mine;

    mine = x;
    x = mine + 1;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int k;

    for (k = 0; k < 3; k++)
        pthread_create(&t[k], NULL, work, NULL);
    for (k = 0; k < 3; k++)
        pthread_join(t[k], NULL);
    assert(x == 3);
    return 0;
}

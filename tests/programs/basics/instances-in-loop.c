// verdict: true
// rules: all
// why: precision
//
// Three instances of one function, created in a loop with a constant bound, each with its own local.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *arg)
{
    int mine;

    pthread_mutex_lock(&m);
    mine = x;
    x = mine + 1;
    pthread_mutex_unlock(&m);
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

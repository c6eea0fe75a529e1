// verdict: true
// rules: all
// why: precision
//
// A ticket lock: each draws a number, and waits until it is called.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
int x;

void *worker(void *arg)
{
    unsigned int mine = atomic_fetch_add(&next, 1);

    while (atomic_load(&serving) != mine)
        ;
    x = 1;
    assert(x == 1);
    x = 0;
    atomic_fetch_add(&serving, 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

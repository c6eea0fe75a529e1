// verdict: false
// rules: all
// why: soundness
//
// Who does not call pthread_once does not wait for the routine.

#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int made, value;

void make(void)
{
    made++;
    value = 5;
}

void *worker(void *arg)
{
    if (made)
        assert(value == 5);
    pthread_once(&once, make);
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

// verdict: true
// rules: all
// why: precision
//
// The routine runs once, and nobody goes on before it has returned.

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
    pthread_once(&once, make);
    assert(value == 5 && made == 1);
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

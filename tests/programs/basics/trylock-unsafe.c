// verdict: false
// rules: all
// why: soundness
//
// A thread that enters although pthread_mutex_trylock has refused is not alone inside.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *first(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    assert(x == 1);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *second(void *arg)
{
    int refused = pthread_mutex_trylock(&m);

    x = 2;
    if (!refused)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

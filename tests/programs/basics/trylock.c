// verdict: true
// rules: all
// why: precision
//
// pthread_mutex_trylock answers 0 exactly when it has taken the mutex: only then is the critical section entered.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *first(void *arg)
{
    if (pthread_mutex_trylock(&m) == 0) {
        x = 1;
        assert(x == 1);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

void *second(void *arg)
{
    if (pthread_mutex_trylock(&m) == 0) {
        x = 2;
        assert(x == 2);
        pthread_mutex_unlock(&m);
    }
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

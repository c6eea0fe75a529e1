// verdict: false
// rules: all
// why: soundness
//
// While a thread waits it does not hold the mutex: what it knew before need not hold afterwards.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x;

void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    if (x == 0) {
        pthread_cond_wait(&c, &m);
        assert(x == 0);
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, waiter, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

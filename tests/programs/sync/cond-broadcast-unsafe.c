// verdict: false
// rules: all
// why: soundness
//
// Broadcast wakes both, but only one element is there: the second must look again.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int elements;

void *consumer(void *arg)
{
    pthread_mutex_lock(&m);
    if (!elements)
        pthread_cond_wait(&c, &m);
    elements--;
    assert(elements >= 0);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, consumer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_mutex_lock(&m);
    elements++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

// verdict: false
//
// Producers and consumers share one condition and wake up one of them: the wrong one, which does not look again.

#include <assert.h>
#include <pthread.h>

#define SIZE 1
#ifndef ITEMS
#define ITEMS 2
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int count;

void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (count == SIZE)
            pthread_cond_wait(&changed, &m);
        count++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        if (count == 0)
            pthread_cond_wait(&changed, &m);
        assert(count > 0);
        count--;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t p[2], c[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&p[i], 0, producer, 0);
        pthread_create(&c[i], 0, consumer, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(p[i], 0);
        pthread_join(c[i], 0);
    }
    return 0;
}

// verdict: true
//
// A producer and a consumer of ITEMS items, with condition variables. Published with 20 items.

#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 20
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
int num;

void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (num > 0)
            pthread_cond_wait(&empty, &m);
        num++;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (num == 0)
            pthread_cond_wait(&full, &m);
        num--;
        assert(num == 0);
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(num == 0);
    return 0;
}

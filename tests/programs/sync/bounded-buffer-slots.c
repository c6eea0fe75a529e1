// verdict: true
// rules: all
// why: precision
//
// A bounded buffer with its slots: what comes out is what went in, in order.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int buffer[2], count, in, out;

void *producer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 2)
            pthread_cond_wait(&changed, &m);
        buffer[in] = i;
        in = 1 - in;
        count++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

void *consumer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 0)
            pthread_cond_wait(&changed, &m);
        assert(buffer[out] == i);
        out = 1 - out;
        count--;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

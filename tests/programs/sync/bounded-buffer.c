// verdict: true
// rules: all
// why: precision
//
// A bounded buffer with condition variables, for ever: it never holds more than fits.

#include <assert.h>
#include <pthread.h>

#define SIZE 2

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
int count;

void *producer(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (count == SIZE)
            pthread_cond_wait(&not_full, &m);
        count++;
        assert(count <= SIZE);
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
}

void *consumer(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (count == 0)
            pthread_cond_wait(&not_empty, &m);
        count--;
        assert(count >= 0);
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
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

// verdict: true
//
// Two threads step variables under two locks, again and again. Published with 20 rounds.

#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 20
#endif

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int data1 = 10, data2 = 10;

void *first(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&ma);
        data1++;
        pthread_mutex_unlock(&ma);
        pthread_mutex_lock(&ma);
        data2++;
        pthread_mutex_unlock(&ma);
    }
    return 0;
}

void *second(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&ma);
        data1 += 5;
        pthread_mutex_unlock(&ma);
        pthread_mutex_lock(&ma);
        data2 -= 6;
        pthread_mutex_unlock(&ma);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data1 == 10 + 6 * ROUNDS && data2 == 10 - 5 * ROUNDS);
    return 0;
}

// verdict: false
//
// Data is written in two stages under two locks, and read between the stages. Published with (2,1), (5,1) and (99,1).

#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 5
#endif
#ifndef READERS
#define READERS 1
#endif

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int data1, data2;

void *writer(void *arg)
{
    pthread_mutex_lock(&ma);
    data1 = 1;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2 = data1 + 1;
    pthread_mutex_unlock(&mb);
    return 0;
}

void *reader(void *arg)
{
    pthread_mutex_lock(&ma);
    int x = data1;
    pthread_mutex_unlock(&ma);
    if (x == 0)
        return 0;
    pthread_mutex_lock(&mb);
    int y = data2;
    pthread_mutex_unlock(&mb);
    assert(y == x + 1);
    return 0;
}

int main(void)
{
    pthread_t w[WRITERS], r[READERS];
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&w[i], 0, writer, 0);
    for (int i = 0; i < READERS; i++)
        pthread_create(&r[i], 0, reader, 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(w[i], 0);
    for (int i = 0; i < READERS; i++)
        pthread_join(r[i], 0);
    return 0;
}

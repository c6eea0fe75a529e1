// verdict: true
//
// As reorder_unsafe.c, under a lock.

#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 1
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b;

void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    a = 1;
    b = -1;
    pthread_mutex_unlock(&m);
    return 0;
}

void *reader(void *arg)
{
    pthread_mutex_lock(&m);
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    pthread_mutex_unlock(&m);
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

// verdict: false
//
// WRITERS threads set a and then b; READERS threads see that one is set and the other is not. Published with (2,1) to (9,1).

#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 9
#endif
#ifndef READERS
#define READERS 1
#endif

int a, b;

void *writer(void *arg)
{
    a = 1;
    b = -1;
    return 0;
}

void *reader(void *arg)
{
    int x = a, y = b;
    assert((x == 0 && y == 0) || (x == 1 && y == -1));
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

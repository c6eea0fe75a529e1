// verdict: false
//
// RIGHT threads change a value under one lock, WRONG threads under another; the value read twice differs by more than was added.
// Published with (1,3) to (1,7).

#include <assert.h>
#include <pthread.h>

#ifndef RIGHT
#define RIGHT 1
#endif
#ifndef WRONG
#define WRONG 7
#endif

pthread_mutex_t data = PTHREAD_MUTEX_INITIALIZER, thread = PTHREAD_MUTEX_INITIALIZER;
int value;

void *right(void *arg)
{
    pthread_mutex_lock(&data);
    int x = value;
    pthread_mutex_unlock(&data);
    pthread_mutex_lock(&data);
    value = x + 1;
    int y = value;
    pthread_mutex_unlock(&data);
    assert(y == x + 1);
    return 0;
}

void *wrong(void *arg)
{
    pthread_mutex_lock(&thread);
    int x = value;
    pthread_mutex_unlock(&thread);
    pthread_mutex_lock(&thread);
    value = x + 1;
    int y = value;
    pthread_mutex_unlock(&thread);
    assert(y == x + 1);
    return 0;
}

int main(void)
{
    pthread_t r[RIGHT], w[WRONG];
    for (int i = 0; i < RIGHT; i++)
        pthread_create(&r[i], 0, right, 0);
    for (int i = 0; i < WRONG; i++)
        pthread_create(&w[i], 0, wrong, 0);
    for (int i = 0; i < RIGHT; i++)
        pthread_join(r[i], 0);
    for (int i = 0; i < WRONG; i++)
        pthread_join(w[i], 0);
    return 0;
}

// verdict: false
//
// Threads set one element of an array each, found by an index that main moves on too early; the sum is short of one. Published with 16.

#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 16
#endif

int element[THREADS], next;

void *set(void *arg)
{
    element[next] = 1;
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&t[i], 0, set, 0);
        if (next < THREADS - 1)
            next++;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += element[i];
    assert(sum == THREADS);
    return 0;
}

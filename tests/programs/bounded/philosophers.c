// verdict: true
//
// Philosophers who take the left fork first: nobody eats while a neighbour does. Published with 2 to 5.

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

pthread_mutex_t fork_[N];
int eats[N];

void *philosopher(void *arg)
{
    int i = (int)(long)arg, right = (i + 1) % N;
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[right]);
    eats[i] = 1;
    assert(!eats[right] || N == 1);
    eats[i] = 0;
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[i]);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, philosopher, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}

// verdict: true
//
// Threads enter messages into a hash table by compare-and-swap; up to 11 threads do not collide. Published with 13.

#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 13
#endif
#define SIZE 128
#define MESSAGES 4

int table[SIZE];

void *worker(void *arg)
{
    int id = (int)(long)arg, m = 0;
    while (m < MESSAGES) {
        int w = (++m) * 11 + id;
        int h = (w * 7) % SIZE;
        while (!__sync_bool_compare_and_swap(&table[h], 0, w))
            h = (h + 1) % SIZE;
        assert(table[h] == w);
    }
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}

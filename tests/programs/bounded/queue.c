// verdict: true
//
// A queue in an array, filled and emptied under a lock; what is taken out is what was put in.

#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 20
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int element[SIZE], stored[SIZE];
int head, tail, amount;
int enqueue_flag = 1, dequeue_flag;

void enqueue(int x)
{
    element[tail] = x;
    amount++;
    tail = tail == SIZE - 1 ? 0 : tail + 1;
}

int dequeue(void)
{
    int x = element[head];
    amount--;
    head = head == SIZE - 1 ? 0 : head + 1;
    return x;
}

void *producer(void *arg)
{
    pthread_mutex_lock(&m);
    if (enqueue_flag) {
        for (int i = 0; i < SIZE; i++) {
            enqueue(3 * i);
            stored[i] = 3 * i;
        }
        enqueue_flag = 0;
        dequeue_flag = 1;
    }
    pthread_mutex_unlock(&m);
    return 0;
}

void *consumer(void *arg)
{
    pthread_mutex_lock(&m);
    if (dequeue_flag) {
        for (int i = 0; i < SIZE; i++)
            if (amount > 0)
                assert(dequeue() == stored[i]);
        dequeue_flag = 0;
        enqueue_flag = 1;
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    return 0;
}

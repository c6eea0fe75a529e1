// verdict: true
//
// A queue of a fixed depth between one producer and one consumer, without locks: head and tail are each written by one of them. Published with depths from 1 to 15.

#include <assert.h>
#include <pthread.h>

#ifndef DEPTH
#define DEPTH 4
#endif
#ifndef MESSAGES
#define MESSAGES 8
#endif

int slot[DEPTH + 1], head, tail;

void *producer(void *arg)
{
    for (int i = 1; i <= MESSAGES; i++) {
        int next = (tail + 1) % (DEPTH + 1);
        while (next == head)
            ;
        slot[tail] = i;
        tail = next;
    }
    return 0;
}

void *consumer(void *arg)
{
    for (int i = 1; i <= MESSAGES; i++) {
        while (head == tail)
            ;
        int got = slot[head];
        assert(got == i);
        head = (head + 1) % (DEPTH + 1);
    }
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

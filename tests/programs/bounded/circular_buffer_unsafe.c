// verdict: false
//
// As circular_buffer.c, but items are skipped when the buffer is in use: the numbers have gaps.

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 7
#endif
#define SIZE 10

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int buffer[SIZE];
unsigned first, next, used;
int send = 1, receive;

void *sender(void *arg)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (send) {
            buffer[next] = i;
            next = (next + 1) % SIZE;
            used++;
            send = 0;
            receive = 1;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *receiver(void *arg)
{
    int expected = -1;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (receive) {
            int got = buffer[first];
            first = (first + 1) % SIZE;
            used--;
            assert(got == expected + 1);
            expected = got;
            send = 1;
            receive = 0;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t s, r;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&r, 0, receiver, 0);
    pthread_join(s, 0);
    pthread_join(r, 0);
    return 0;
}

// verdict: true
//
// A stack in an array: items are taken off only when some are there.

#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 5
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stack[SIZE];
int top, flag;

void *pusher(void *arg)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        assert(top < SIZE);
        stack[top] = i;
        top++;
        flag = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *popper(void *arg)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (top > 0) {
            assert(top != 0);
            top--;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

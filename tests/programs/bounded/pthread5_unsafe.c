// verdict: false
//
// Two threads take steps under one lock, in two sections each; who looks in between sees the first step of one and not its second.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int first, second, x, y;

void *forward(void *arg)
{
    pthread_mutex_lock(&lock);
    first = 1;
    second = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *back(void *arg)
{
    pthread_mutex_lock(&lock);
    first = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    second = 0;
    y = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *look(void *arg)
{
    pthread_mutex_lock(&lock);
    if (x == 1 && y == 0)
        assert(first == second);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, forward, 0);
    pthread_create(&t[1], 0, back, 0);
    pthread_create(&t[2], 0, look, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}

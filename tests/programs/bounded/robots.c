// verdict: true
//
// Two robots cross a board of N x N, one along the rows and one along the columns, each looking before it goes: they never meet.

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x1, y1, x2 = N - 1, y2 = N - 1;

void *first(void *arg)
{
    while (x1 < N - 1 || y1 < N - 1) {
        pthread_mutex_lock(&m);
        int x = x1, y = y1;
        if (x < N - 1)
            x++;
        else
            y++;
        if (x != x2 || y != y2) {
            x1 = x;
            y1 = y;
        }
        assert(x1 != x2 || y1 != y2);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *second(void *arg)
{
    while (x2 > 0 || y2 > 0) {
        pthread_mutex_lock(&m);
        int x = x2, y = y2;
        if (y > 0)
            y--;
        else
            x--;
        if (x != x1 || y != y1) {
            x2 = x;
            y2 = y;
        }
        assert(x1 != x2 || y1 != y2);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

// verdict: true
//
// Two threads add to each other's variable NUM times: none gets beyond the Fibonacci number. Published with 5, 6 and 11.

#include <assert.h>
#include <pthread.h>

#ifndef NUM
#define NUM 5
#endif

int i = 1, j = 1;

void *first(void *arg)
{
    for (int k = 0; k < NUM; k++)
        i += j;
    return 0;
}

void *second(void *arg)
{
    for (int k = 0; k < NUM; k++)
        j += i;
    return 0;
}

static int fibonacci(void)
{
    int last = 1, next = 1;
    for (int k = 2; k < 2 * NUM + 2; k++) {
        int sum = last + next;
        last = next;
        next = sum;
    }
    return next;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    int bound = fibonacci();
    assert(i <= bound && j <= bound);
    return 0;
}

// verdict: false
//
// A work-stealing deque whose owner does not compete for the last item: it is taken twice.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 8
#ifndef ITEMS
#define ITEMS 3
#endif

atomic_int top, bottom;
int item[SIZE];
atomic_int taken[ITEMS + 1];

void put(int x)
{
    int b = bottom;
    item[b % SIZE] = x;
    bottom = b + 1;
}

int take(void)
{
    int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t > b) {
        bottom = t;
        return 0;
    }
    return item[b % SIZE];
}

int steal(void)
{
    int t = top, b = bottom;
    if (t >= b)
        return 0;
    int x = item[t % SIZE];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? x : 0;
}

void use(int x)
{
    if (x)
        assert(atomic_fetch_add(&taken[x], 1) == 0);
}

void *owner(void *arg)
{
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    for (int i = 0; i < ITEMS; i++)
        use(take());
    return 0;
}

void *thief(void *arg)
{
    for (int i = 0; i < ITEMS; i++)
        use(steal());
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, thief, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

// verdict: false
//
// A stack with an elimination slot: a push that is not met within its time withdraws its offer without compare-and-swap, and
// an item that was taken from the slot is pushed, too.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 8

atomic_int top, slot, lock;
int item[SIZE];
atomic_int seen[4];

int try_push(int x)
{
    int expected = 0;
    if (!atomic_compare_exchange_strong(&lock, &expected, 1))
        return 0;
    int t = top;
    item[t] = x;
    top = t + 1;
    lock = 0;
    return 1;
}

int try_pop(int *busy)
{
    int expected = 0, x = 0;
    *busy = !atomic_compare_exchange_strong(&lock, &expected, 1);
    if (*busy)
        return 0;
    int t = top;
    if (t > 0) {
        x = item[t - 1];
        top = t - 1;
    }
    lock = 0;
    return x;
}

void *pusher(void *arg)
{
    int x = (int)(long)arg;
    while (!try_push(x)) {
        int none = 0;
        if (atomic_compare_exchange_strong(&slot, &none, x)) {
            if (slot != x)
                return 0;
            slot = 0;
        }
    }
    return 0;
}

void *popper(void *arg)
{
    for (int i = 0; i < 3; i++) {
        int busy, x = try_pop(&busy);
        if (busy) {
            x = slot;
            if (x && !atomic_compare_exchange_strong(&slot, &x, 0))
                x = 0;
        }
        if (x)
            assert(atomic_fetch_add(&seen[x], 1) == 0);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, pusher, (void *)1);
    pthread_create(&b, 0, pusher, (void *)2);
    pthread_create(&c, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A work-stealing deque: owner and thief do not both take the last task.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int top, bottom;
int tasks[2];
atomic_int done[2];

void *owner(void *arg)
{
    int at, expected;

    tasks[0] = 0;
    atomic_store(&bottom, 1);
    at = atomic_load(&bottom) - 1;
    atomic_store(&bottom, at);
    expected = atomic_load(&top);
    if (expected < at) {
        atomic_fetch_add(&done[tasks[at]], 1);
    } else if (expected == at) {
        if (atomic_compare_exchange_strong(&top, &expected, expected + 1))
            atomic_fetch_add(&done[tasks[at]], 1);
        atomic_store(&bottom, at + 1);
    } else {
        atomic_store(&bottom, at + 1);
    }
    return NULL;
}

void *thief(void *arg)
{
    int at = atomic_load(&top), end = atomic_load(&bottom);

    if (at < end) {
        int task = tasks[at];
        if (atomic_compare_exchange_strong(&top, &at, at + 1))
            atomic_fetch_add(&done[task], 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, owner, NULL);
    pthread_create(&two, NULL, thief, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(atomic_load(&done[0]) <= 1);
    return 0;
}

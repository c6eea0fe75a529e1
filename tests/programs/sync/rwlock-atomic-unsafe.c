// verdict: false
// rules: all
// why: soundness
//
// The reader does not look whether there is a writer.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int state;
int x, y;

void *writer(void *arg)
{
    int free = 0;

    while (!atomic_compare_exchange_weak(&state, &free, -1))
        free = 0;
    x = 1;
    y = 1;
    atomic_store(&state, 0);
    return NULL;
}

void *reader(void *arg)
{
    int seen;

    do {
        seen = atomic_load(&state);
    } while (!atomic_compare_exchange_weak(&state, &seen, seen + 1));
    assert(x == y);
    atomic_fetch_sub(&state, 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

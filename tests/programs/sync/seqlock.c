// verdict: true
// rules: all
// why: precision
//
// A sequence lock: a reader tries again if a writer came in between.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence;
atomic_int a, b;

void *writer(void *arg)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store(&a, 1);
    atomic_store(&b, 1);
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

void *reader(void *arg)
{
    int before, x, y;

    do {
        before = atomic_load(&sequence);
        x = atomic_load(&a);
        y = atomic_load(&b);
    } while (before % 2 != 0 || atomic_load(&sequence) != before);
    assert(x == y);
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

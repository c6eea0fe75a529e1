// verdict: true
// rules: all
// why: precision
//
// Double-checked initialisation with an atomic flag, which is set last.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
int value;

void *get(void *arg)
{
    if (!atomic_load_explicit(&ready, memory_order_acquire)) {
        pthread_mutex_lock(&m);
        if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
            value = 5;
            atomic_store_explicit(&ready, 1, memory_order_release);
        }
        pthread_mutex_unlock(&m);
    }
    assert(value == 5);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, get, NULL);
    pthread_create(&two, NULL, get, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

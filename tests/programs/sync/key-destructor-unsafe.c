// verdict: false
// rules: all
// why: soundness
//
// The destructor does not run where the value is null.

#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int count;

void forget(void *value)
{
    *(int *)value += 1;
}

void *worker(void *arg)
{
    pthread_setspecific(key, &count);
    pthread_setspecific(key, NULL);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_key_create(&key, forget);
    pthread_create(&one, NULL, worker, NULL);
    pthread_join(one, NULL);
    assert(count == 1);
    return 0;
}

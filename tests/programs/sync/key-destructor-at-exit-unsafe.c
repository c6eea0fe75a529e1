// verdict: false
// rules: all
// why: soundness
//
// A destructor runs after pthread_exit as well, wherever that is called.

#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int x;

void forget(void *value)
{
    assert(x == 0);
}

void leave(void)
{
    x = 1;
    pthread_exit(NULL);
}

void *worker(void *arg)
{
    pthread_setspecific(key, &x);
    leave();
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_key_create(&key, forget);
    pthread_create(&one, NULL, worker, NULL);
    pthread_join(one, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// The value of a key that was not set in this thread is null.

#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int left, right;

void *worker(void *arg)
{
    pthread_setspecific(key, arg);
    assert(pthread_getspecific(key) == &left);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_key_create(&key, NULL);
    pthread_create(&one, NULL, worker, &left);
    pthread_create(&two, NULL, worker, &right);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(pthread_getspecific(key) == NULL);
    pthread_key_delete(key);
    return 0;
}

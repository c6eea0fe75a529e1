// verdict: true
// rules: all
// why: precision
//
// Each thread has its own value of a key.

#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int left, right;

void *worker(void *arg)
{
    pthread_setspecific(key, arg);
    assert(pthread_getspecific(key) == arg);
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

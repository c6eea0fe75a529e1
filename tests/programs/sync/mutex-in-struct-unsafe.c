// verdict: false
// rules: all
// why: soundness
//
// Each thread locks the mutex in its own copy of the struct.

#include <assert.h>
#include <pthread.h>

struct guarded { pthread_mutex_t lock; int *value; };
int x;

void *worker(void *arg)
{
    struct guarded own = {PTHREAD_MUTEX_INITIALIZER, &x};

    pthread_mutex_lock(&own.lock);
    *own.value = 1;
    assert(*own.value == 1);
    *own.value = 0;
    pthread_mutex_unlock(&own.lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

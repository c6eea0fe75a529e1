// verdict: false
// rules: all
// why: soundness
//
// The lock of another element.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int values[2];

void *worker(void *arg)
{
    long own = (long)arg;

    pthread_mutex_lock(&locks[own]);
    values[0] = 1;
    assert(values[0] == 1);
    values[0] = 0;
    pthread_mutex_unlock(&locks[own]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

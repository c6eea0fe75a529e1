// verdict: true
// rules: all
// why: precision
//
// An array of mutexes, one for each value.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t locks[2];
int values[2];

void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&locks[i]);
        values[i] = 1;
        assert(values[i] == 1);
        values[i] = 0;
        pthread_mutex_unlock(&locks[i]);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&locks[i], NULL);
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

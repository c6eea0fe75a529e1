// verdict: true
// rules: all
// why: precision
//
// A timed lock that succeeds holds the mutex.

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    struct timespec until = { 1, 0 };
    int code = pthread_mutex_timedlock(&m, &until);

    if (code == 0) {
        x = 1;
        assert(x == 1);
        x = 0;
        pthread_mutex_unlock(&m);
    } else {
        assert(code == ETIMEDOUT);
    }
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

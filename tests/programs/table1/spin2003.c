// verdict: true
// rules: all
// why: precision
//
// The running example of Flanagan and Qadeer's thread-modular model checking (SPIN 2003): a lock protects x; its
// holder clears x, sets it, and relies on finding it set. The published lock is a variable taken by a guarded
// command; here it is a pthread mutex. Both threads run the same function and, as published, do so for ever.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        x = 0;
        x = 1;
        assert(x >= 1);
        pthread_mutex_unlock(&m);
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

// verdict: true
// rules: all
// why: soundness
//
// Locking a mutex that was destroyed is undefined. It goes on as before, and the verdict says that this is assumed not to happen.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *other(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_mutex_destroy(&m);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Destroying a mutex that is held is undefined: what comes after it is not considered, and the verdict says so.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
    assert(0);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A cleanup handler that gives a mutex back where it is popped.

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int low, high;

static void give_back(void *arg) { pthread_mutex_unlock(arg); }

static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give_back, &mutex);
    low++;
    high++;
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    assert(low == high);
    pthread_mutex_unlock(&mutex);
    return 0;
}

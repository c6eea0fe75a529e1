// verdict: true
// rules: all
// why: precision
//
// A mutex padded to a cache line: the padding is never looked at.
#include <assert.h>
#include <pthread.h>
union padded { pthread_mutex_t mutex; char pad[64]; };
union padded lock = {PTHREAD_MUTEX_INITIALIZER};
int x;
void *worker(void *arg) {
    pthread_mutex_lock(&lock.mutex);
    x = x + 1;
    pthread_mutex_unlock(&lock.mutex);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}

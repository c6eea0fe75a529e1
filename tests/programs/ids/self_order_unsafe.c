// verdict: false
// rules: all
// why: soundness
//
// Ids of threads are in no order.
#include <assert.h>
#include <pthread.h>
void *worker(void *arg) { return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_self() < t);
    pthread_join(t, 0);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// The id of a thread is no particular number.
#include <assert.h>
#include <pthread.h>
void *worker(void *arg) { return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert((unsigned long)t < 100);
    pthread_join(t, 0);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// A thread that is created only sometimes cannot always be joined.
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void *worker(void *arg) { return 0; }
int main(void) {
    pthread_t t = 0;
    if (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    assert(pthread_join(t, 0) == 0);
    return 0;
}

// verdict: true
// rules: all
// why: soundness
//
// A pointer's eight bytes do not fit into an int: undefined on LP64 (assumption 3), though common.
#include <assert.h>
#include <pthread.h>
void *worker(void *arg) { return (void *)5; }
int main(void) {
    pthread_t t;
    int result;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, (void **)&result);
    assert(0);
    return 0;
}

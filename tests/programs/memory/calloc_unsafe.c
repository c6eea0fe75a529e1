// verdict: false
// rules: all
// why: soundness
//
// A block from calloc is zero only until somebody writes it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct job { int done; int result; };
void *worker(void *arg) {
    struct job *job = arg;
    job->done = 1;
    job->result = 7;
    return NULL;
}
int main(void) {
    pthread_t t;
    struct job *job = calloc(1, sizeof *job);
    assert(job->result == 0);
    pthread_create(&t, NULL, worker, job);
    if (job->done)
        assert(job->result == 7);
    pthread_join(t, NULL);
    free(job);
    return 0;
}

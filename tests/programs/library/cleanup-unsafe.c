// verdict: false
// rules: all
// why: soundness
//
// A handler that is popped without being run.

#include <assert.h>
#include <pthread.h>

static int done;

static void finish(void *arg) { done = 1; }

int main(void) {
    pthread_cleanup_push(finish, 0);
    pthread_cleanup_pop(0);
    assert(done == 1);
    return 0;
}

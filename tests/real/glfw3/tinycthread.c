// sources: deps/tinycthread.c
// flags: -Ideps
// verdict: true
// checks: what a thread did is there once it is joined, and so is its result, with C11's threads on those of POSIX
#include <assert.h>
#include "tinycthread.h"

static int done;

static int work(void *arg) {
    done = 1;
    return *(int *)arg + 1;
}

int main(void) {
    thrd_t thread;
    int argument = 41, result = 0;
    if (thrd_create(&thread, work, &argument) != thrd_success)
        return 1;
    if (thrd_join(thread, &result) != thrd_success)
        return 1;
    assert(done == 1);
    assert(result == 42);
    return 0;
}

// flags: -Isrc/common -Isrc/liblzma/api -DMYTHREAD_POSIX -DHAVE__BOOL -DHAVE_STDBOOL_H -DHAVE_INTTYPES_H -DHAVE_STDINT_H -DHAVE_LIMITS_H -DHAVE_STRING_H -DSIZEOF_SIZE_T=8
// verdict: true
// checks: what the wrapper of pthread_once runs is run once, and before both threads go on
#include "../common.h"
#include "mythread.h"

static int times;

static void initialise(void) { times++; }

static void once(void) { mythread_once(initialise); }

static void *worker(void *arg) {
    (void)arg;
    once();
    assert(times == 1);
    return NULL;
}

int main(void) {
    two(worker, worker);
    return 0;
}

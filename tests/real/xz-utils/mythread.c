// flags: -Isrc/common -Isrc/liblzma/api -DMYTHREAD_POSIX -DHAVE__BOOL -DHAVE_STDBOOL_H -DHAVE_INTTYPES_H -DHAVE_STDINT_H -DHAVE_LIMITS_H -DHAVE_STRING_H -DSIZEOF_SIZE_T=8
// verdict: true
// checks: a flag that one thread sets under its mutex, with the wrappers of threads, mutexes and conditions, is seen by the one that waits
#include "../common.h"
#include "mythread.h"

static mythread_mutex mutex;
static mythread_cond condition;
static int ready, value;

static void *producer(void *arg) {
    (void)arg;
    value = 7;
    mythread_sync(mutex) {
        ready = 1;
        mythread_cond_signal(&condition);
    }
    return NULL;
}

int main(void) {
    mythread thread;
    if (mythread_mutex_init(&mutex) || mythread_cond_init(&condition))
        return 1;
    if (mythread_create(&thread, producer, NULL))
        return 1;
    mythread_mutex_lock(&mutex);
    while (!ready)
        mythread_cond_wait(&condition, &mutex);
    mythread_mutex_unlock(&mutex);
    assert(value == 7);
    mythread_join(thread);
    return 0;
}

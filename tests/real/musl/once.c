// sources: src/thread/pthread_once.c
// flags: -Iarch/x86_64
// verdict: true
// checks: what is to be done once is done once and before anybody goes on, any number of threads
#include "../common.h"
#include "pthread_impl.h"

int __pthread_once(int *, void (*)(void));

static int control, times;

static void once(void) { times++; }

static void *worker(void *arg) {
    (void)arg;
    __pthread_once(&control, once);
    assert(times == 1);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}

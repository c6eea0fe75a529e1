// sources: src/thread/__lock.c
// flags: -Iarch/x86_64
// verdict: true
// checks: the internal lock with its count of waiters, with its inline assembly, excludes two threads
#include "../common.h"
#include "pthread_impl.h"

void __lock(volatile int *), __unlock(volatile int *);

struct __libc libc = { 1 };
static volatile int word;

static void *worker(void *arg) {
    (void)arg;
    __lock(&word);
    critical_section();
    __unlock(&word);
    return NULL;
}

int main(void) {
    two(worker, worker);
    return 0;
}

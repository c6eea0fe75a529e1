// sources: src/thread/pthread_spin_lock.c src/thread/pthread_spin_unlock.c
// flags: -Iarch/x86_64
// verdict: true
// checks: the spin lock, with its inline assembly, excludes any number of threads
#include "../common.h"
#include "pthread_impl.h"

int musl_spin_lock(int *), musl_spin_unlock(int *);

static int lock;

static void *worker(void *arg) {
    (void)arg;
    musl_spin_lock(&lock);
    critical_section();
    musl_spin_unlock(&lock);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}

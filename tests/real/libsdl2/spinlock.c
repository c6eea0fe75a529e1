// sources: src/atomic/SDL_spinlock.c
// flags: -Iinclude -I. -DHAVE_GCC_ATOMICS=1 -DHAVE_STDARG_H=1 -DHAVE_STDDEF_H=1 -DHAVE_STDINT_H=1 -D_STDINT_H_=1
// verdict: true
// checks: the spin lock excludes any number of threads
#include "../common.h"
#include "src/SDL_internal.h"
#include "SDL_atomic.h"

void SDL_Delay(Uint32 ms) { (void)ms; }

static SDL_SpinLock lock;

static void *worker(void *arg) {
    (void)arg;
    SDL_AtomicLock(&lock);
    critical_section();
    SDL_AtomicUnlock(&lock);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}

// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: a lock of compare-and-exchange in the library's inline assembly excludes any number of threads
#include "../common.h"
#include <urcu/uatomic.h>

static int taken;

static void *worker(void *arg) {
    (void)arg;
    while (uatomic_cmpxchg(&taken, 0, 1) != 0)
        ;
    critical_section();
    uatomic_set(&taken, 0);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}

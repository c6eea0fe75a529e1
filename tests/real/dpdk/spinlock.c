// flags: -Ilib/eal/include -Ilib/eal/x86/include -Ilib/eal/linux/include -include rte_config.h
// verdict: true
// checks: rte_spinlock_t excludes any number of threads
#include "../common.h"
#include <generic/rte_spinlock.h>

static rte_spinlock_t lock = RTE_SPINLOCK_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    rte_spinlock_lock(&lock);
    critical_section();
    rte_spinlock_unlock(&lock);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}

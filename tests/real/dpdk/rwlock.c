// flags: -Ilib/eal/include -Ilib/eal/x86/include -Ilib/eal/linux/include -include rte_config.h
// verdict: true
// checks: rte_rwlock_t excludes two threads
#include "../common.h"
#include <generic/rte_rwlock.h>

static rte_rwlock_t lock = RTE_RWLOCK_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    rte_rwlock_write_lock(&lock);
    critical_section();
    rte_rwlock_write_unlock(&lock);
    return NULL;
}

int main(void) {
    two(worker, worker);
    return 0;
}

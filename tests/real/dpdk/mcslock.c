// flags: -Ilib/eal/include -Ilib/eal/x86/include -Ilib/eal/linux/include -include rte_config.h
// verdict: true
// checks: the MCS lock excludes two threads
#include "../common.h"
#include <rte_mcslock.h>

static rte_mcslock_t *lock;

static void *worker(void *arg) {
    rte_mcslock_t mine;
    (void)arg;
    rte_mcslock_lock(&lock, &mine);
    critical_section();
    rte_mcslock_unlock(&lock, &mine);
    return NULL;
}

int main(void) {
    two(worker, worker);
    return 0;
}

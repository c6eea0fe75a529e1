// flags: -Ilib/eal/include -Ilib/eal/x86/include -Ilib/eal/linux/include -include rte_config.h
// verdict: true
// checks: rte_ticketlock_t excludes two threads (with more than its counter has values it would not)
#include "../common.h"
#include <rte_ticketlock.h>

static rte_ticketlock_t lock = RTE_TICKETLOCK_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    rte_ticketlock_lock(&lock);
    critical_section();
    rte_ticketlock_unlock(&lock);
    return NULL;
}

int main(void) {
    two(worker, worker);
    return 0;
}

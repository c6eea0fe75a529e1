// flags: -Ilib/eal/include -Ilib/eal/x86/include -include rte_config.h
// verdict: true
// checks: rte_ticketlock_t excludes any number of threads
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
    any_number(worker);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: the ticket spin lock excludes two threads (with more than its counter has values it would not)
#include "../common.h"
#include <ck_spinlock.h>

static ck_spinlock_ticket_t lock;

static void *worker(void *arg) {
    (void)arg;
    ck_spinlock_ticket_lock(&lock);
    critical_section();
    ck_spinlock_ticket_unlock(&lock);
    return NULL;
}

int main(void) {
    ck_spinlock_ticket_init(&lock);
    two(worker, worker);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: the MCS lock excludes two threads
#include "../common.h"
#include <ck_spinlock.h>

static ck_spinlock_mcs_t lock;

static void *worker(void *arg) {
    ck_spinlock_mcs_context_t node;
    (void)arg;
    ck_spinlock_mcs_lock(&lock, &node);
    critical_section();
    ck_spinlock_mcs_unlock(&lock, &node);
    return NULL;
}

int main(void) {
    ck_spinlock_mcs_init(&lock);
    two(worker, worker);
    return 0;
}

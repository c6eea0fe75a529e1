// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: the fas spin lock excludes any number of threads
#include "../common.h"
#include <ck_spinlock.h>

static ck_spinlock_fas_t lock;

static void *worker(void *arg) {
    (void)arg;
    ck_spinlock_fas_lock(&lock);
    critical_section();
    ck_spinlock_fas_unlock(&lock);
    return NULL;
}

int main(void) {
    ck_spinlock_fas_init(&lock);
    any_number(worker);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: false(unreach-call)
// checks: the fas spin lock, given back before the section, excludes nobody
#include "../common.h"
#include <ck_spinlock.h>

static ck_spinlock_fas_t lock;

static void *worker(void *arg) {
    (void)arg;
    ck_spinlock_fas_lock(&lock);
    ck_spinlock_fas_unlock(&lock);
    critical_section();
    ck_spinlock_fas_unlock(&lock);
    return NULL;
}

int main(void) {
    ck_spinlock_fas_init(&lock);
    any_number(worker);
    return 0;
}

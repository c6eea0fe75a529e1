// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: the dec spin lock, tried once, excludes any number of threads
#include "../common.h"
#include <ck_spinlock.h>

static ck_spinlock_dec_t lock;

static void *worker(void *arg) {
    (void)arg;
    if (!ck_spinlock_dec_trylock(&lock))
        return NULL;
    critical_section();
    ck_spinlock_dec_unlock(&lock);
    return NULL;
}

int main(void) {
    ck_spinlock_dec_init(&lock);
    any_number(worker);
    return 0;
}

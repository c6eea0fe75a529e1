// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: Anderson's array lock with two slots excludes two threads
#include "../common.h"
#include <ck_spinlock.h>

static ck_spinlock_anderson_t lock;
static ck_spinlock_anderson_thread_t slots[2];

static void *worker(void *arg) {
    ck_spinlock_anderson_thread_t *mine;
    (void)arg;
    ck_spinlock_anderson_lock(&lock, &mine);
    critical_section();
    ck_spinlock_anderson_unlock(&lock, mine);
    return NULL;
}

int main(void) {
    ck_spinlock_anderson_init(&lock, slots, 2);
    two(worker, worker);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: the CLH lock excludes two threads
#include "../common.h"
#include <ck_spinlock.h>

static ck_spinlock_clh_t first, nodes[2];
static ck_spinlock_clh_t *lock;

static void *one(void *arg) {
    ck_spinlock_clh_t *mine = &nodes[0];
    (void)arg;
    ck_spinlock_clh_lock(&lock, mine);
    critical_section();
    ck_spinlock_clh_unlock(&mine);
    return NULL;
}

static void *other(void *arg) {
    ck_spinlock_clh_t *mine = &nodes[1];
    (void)arg;
    ck_spinlock_clh_lock(&lock, mine);
    critical_section();
    ck_spinlock_clh_unlock(&mine);
    return NULL;
}

int main(void) {
    ck_spinlock_clh_init(&lock, &first);
    two(one, other);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: any number of writers of the read-write lock exclude each other
#include "../common.h"
#include <ck_rwlock.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
    (void)arg;
    ck_rwlock_write_lock(&lock);
    critical_section();
    ck_rwlock_write_unlock(&lock);
    return NULL;
}

int main(void) {
    any_number(writer);
    return 0;
}

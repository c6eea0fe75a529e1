// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: false(unreach-call)
// checks: readers of the read-write lock that write meet each other
#include "../common.h"
#include <ck_rwlock.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;

static void *reader(void *arg) {
    (void)arg;
    ck_rwlock_read_lock(&lock);
    critical_section();
    ck_rwlock_read_unlock(&lock);
    return NULL;
}

int main(void) {
    any_number(reader);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: a writer of the byte lock excludes a reader with a slot of its own
#include "../common.h"
#include <ck_bytelock.h>

static ck_bytelock_t lock = CK_BYTELOCK_INITIALIZER;

static void *reader(void *arg) {
    (void)arg;
    ck_bytelock_read_lock(&lock, 1);
    critical_section();
    ck_bytelock_read_unlock(&lock, 1);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    ck_bytelock_write_lock(&lock, 2);
    critical_section();
    ck_bytelock_write_unlock(&lock);
    return NULL;
}

int main(void) {
    ck_bytelock_init(&lock);
    two(reader, writer);
    return 0;
}

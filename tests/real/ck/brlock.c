// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: a writer of the big reader lock excludes a registered reader
#include "../common.h"
#include <ck_brlock.h>

static ck_brlock_t lock = CK_BRLOCK_INITIALIZER;
static ck_brlock_reader_t mine = CK_BRLOCK_READER_INITIALIZER;

static void *reader(void *arg) {
    (void)arg;
    ck_brlock_read_lock(&lock, &mine);
    critical_section();
    ck_brlock_read_unlock(&mine);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    ck_brlock_write_lock(&lock);
    critical_section();
    ck_brlock_write_unlock(&lock);
    return NULL;
}

int main(void) {
    ck_brlock_init(&lock);
    ck_brlock_read_register(&lock, &mine);
    two(reader, writer);
    return 0;
}

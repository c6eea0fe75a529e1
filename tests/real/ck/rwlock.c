// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: what a reader of rwlock sees does not change while it reads; two writers and a reader
#include "../common.h"
#include <ck_rwlock.h>

static ck_rwlock_t lock;
static int low, high;

static void *reader(void *arg) {
    (void)arg;
    ck_rwlock_read_lock(&lock);
    int seen = low;
    assert(high == seen);
    ck_rwlock_read_unlock(&lock);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    ck_rwlock_write_lock(&lock);
    low = 1;
    high = 1;
    ck_rwlock_write_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    ck_rwlock_init(&lock);
    pthread_create(&one, NULL, writer, NULL);
    two(reader, writer);
    return 0;
}

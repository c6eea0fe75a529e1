// sources: src/core/ngx_rwlock.c
// verdict: true
// checks: a writer excludes a reader of the read-write lock
#include "../common.h"
#include <ngx_config.h>

long ngx_ncpu = 1;
static ngx_atomic_t lock;
static int low, high;

static void *reader(void *arg) {
    (void)arg;
    ngx_rwlock_rlock(&lock);
    int seen = low;
    assert(high == seen);
    ngx_rwlock_unlock(&lock);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    ngx_rwlock_wlock(&lock);
    low = 1;
    high = 1;
    ngx_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    two(reader, writer);
    return 0;
}

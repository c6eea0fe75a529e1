// sources: src/core/ngx_rwlock.c
// verdict: true
// checks: any number of writers of the read-write lock exclude each other
#include "../common.h"
#include <ngx_config.h>

long ngx_ncpu = 1;
static ngx_atomic_t lock;

static void *worker(void *arg) {
    (void)arg;
    ngx_rwlock_wlock(&lock);
    critical_section();
    ngx_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}

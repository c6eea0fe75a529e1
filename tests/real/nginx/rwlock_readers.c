// sources: src/core/ngx_rwlock.c
// verdict: false(unreach-call)
// checks: readers that write meet each other
#include "../common.h"
#include <ngx_config.h>

long ngx_ncpu = 1;
static ngx_atomic_t lock;

static void *worker(void *arg) {
    (void)arg;
    ngx_rwlock_rlock(&lock);
    critical_section();
    ngx_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}

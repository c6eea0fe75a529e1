// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: two threads that pop from the lock-free stack, one with its mutex and one under none, never get the same node
#include "../common.h"
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node a, b, *got[2];

static void *one(void *arg) {
    (void)arg;
    got[0] = cds_lfs_pop_blocking(&stack);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    got[1] = __cds_lfs_pop(&stack);
    return NULL;
}

int main(void) {
    cds_lfs_init(&stack);
    cds_lfs_push(&stack, &a);
    cds_lfs_push(&stack, &b);
    two(one, other);
    assert(got[0] != got[1] && got[0] != NULL && got[1] != NULL);
    return 0;
}

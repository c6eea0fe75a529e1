// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: the lock-free stack, with its inline assembly: both nodes that two threads push are there afterwards
#include "../common.h"
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node a, b;

static void *one(void *arg) {
    (void)arg;
    cds_lfs_push(&stack, &a);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    cds_lfs_push(&stack, &b);
    return NULL;
}

int main(void) {
    cds_lfs_init(&stack);
    two(one, other);
    struct cds_lfs_node *first = cds_lfs_pop_blocking(&stack), *second = cds_lfs_pop_blocking(&stack);
    assert(first != NULL && second != NULL && first != second);
    assert(cds_lfs_empty(&stack));
    return 0;
}

// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: the wait-free stack: both nodes that two threads push are there afterwards
#include "../common.h"
#include <urcu/wfstack.h>

static struct cds_wfs_stack stack;
static struct cds_wfs_node a, b;

static void *one(void *arg) {
    (void)arg;
    cds_wfs_push(&stack, &a);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    cds_wfs_push(&stack, &b);
    return NULL;
}

int main(void) {
    cds_wfs_init(&stack);
    cds_wfs_node_init(&a);
    cds_wfs_node_init(&b);
    two(one, other);
    struct cds_wfs_node *first = cds_wfs_pop_blocking(&stack), *second = cds_wfs_pop_blocking(&stack);
    assert(first != NULL && second != NULL && first != second);
    assert(cds_wfs_empty(&stack));
    return 0;
}

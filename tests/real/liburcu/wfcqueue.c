// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: the wait-free queue, with its inline assembly: what two producers put in is there afterwards, once each
#include "../common.h"
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node a, b;

static void *one(void *arg) {
    (void)arg;
    cds_wfcq_enqueue(&head, &tail, &a);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    cds_wfcq_enqueue(&head, &tail, &b);
    return NULL;
}

int main(void) {
    cds_wfcq_init(&head, &tail);
    cds_wfcq_node_init(&a);
    cds_wfcq_node_init(&b);
    two(one, other);
    struct cds_wfcq_node *first = cds_wfcq_dequeue_blocking(&head, &tail);
    struct cds_wfcq_node *second = cds_wfcq_dequeue_blocking(&head, &tail);
    assert(first != NULL && second != NULL && first != second);
    assert(cds_wfcq_empty(&head, &tail));
    return 0;
}

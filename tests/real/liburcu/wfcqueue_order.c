// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: the wait-free queue gives the two nodes of one producer in their order
#include "../common.h"
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node a, b;

static void *producer(void *arg) {
    (void)arg;
    cds_wfcq_enqueue(&head, &tail, &a);
    cds_wfcq_enqueue(&head, &tail, &b);
    return NULL;
}

static void *consumer(void *arg) {
    struct cds_wfcq_node *first = cds_wfcq_dequeue_blocking(&head, &tail);
    (void)arg;
    assert(first == NULL || first == &a);
    return NULL;
}

int main(void) {
    cds_wfcq_init(&head, &tail);
    cds_wfcq_node_init(&a);
    cds_wfcq_node_init(&b);
    two(producer, consumer);
    return 0;
}

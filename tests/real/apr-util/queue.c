// sources: misc/apr_queue.c
// verdict: true
// checks: the bounded queue gives what was pushed, in that order, unless a wait was interrupted
#include "../common.h"
#include "apr_queue.h"

static apr_queue_t *queue;
static int items[2];

static void *producer(void *arg) {
    (void)arg;
    while (apr_queue_push(queue, &items[0]) != 0)
        ;
    while (apr_queue_push(queue, &items[1]) != 0)
        ;
    return NULL;
}

static void *consumer(void *arg) {
    void *item;
    (void)arg;
    while (apr_queue_pop(queue, &item) != 0)
        ;
    assert(item == &items[0]);
    while (apr_queue_pop(queue, &item) != 0)
        ;
    assert(item == &items[1]);
    return NULL;
}

int main(void) {
    if (apr_queue_create(&queue, 1, NULL) != 0)
        return 1;
    two(producer, consumer);
    return 0;
}

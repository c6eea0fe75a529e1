// sources: squashfs-tools/caches-queues-lists.c
// flags: -Isquashfs-tools
// options: --undefined-functions nondet
// verdict: true
// checks: the bounded queue keeps the order
#include "../common.h"
#include "caches-queues-lists.h"

static struct queue *queue;
static int items[2];

static void *producer(void *arg) {
    (void)arg;
    queue_put(queue, &items[0]);
    queue_put(queue, &items[1]);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    assert(queue_get(queue) == &items[0]);
    assert(queue_get(queue) == &items[1]);
    return NULL;
}

int main(void) {
    queue = queue_init(1);
    two(producer, consumer);
    return 0;
}

// flags: -Isrc
// verdict: true
// checks: the ring for one producer and one consumer gives what was put in, in that order
#include "../common.h"
#include "rte-ring.h"

static struct { struct rte_ring ring; void *slots[4]; } memory;
static int items[2];

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++)
        while (rte_ring_sp_enqueue(&memory.ring, &items[i]) != 0)
            ;
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        void *item;
        while (rte_ring_sc_dequeue(&memory.ring, &item) != 0)
            ;
        assert(item == &items[i]);
    }
    return NULL;
}

int main(void) {
    memory.ring.prod.size = memory.ring.cons.size = 4;
    memory.ring.prod.mask = memory.ring.cons.mask = 3;
    memory.ring.prod.watermark = 4;
    two(producer, consumer);
    return 0;
}

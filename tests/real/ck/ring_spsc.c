// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: the ring for one producer and one consumer gives what was put in, in that order
#include "../common.h"
#include <ck_ring.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int items[2];

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++)
        while (!ck_ring_enqueue_spsc(&ring, buffer, &items[i]))
            ;
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        void *item;
        while (!ck_ring_dequeue_spsc(&ring, buffer, &item))
            ;
        assert(item == &items[i]);
    }
    return NULL;
}

int main(void) {
    ck_ring_init(&ring, 4);
    two(producer, consumer);
    return 0;
}

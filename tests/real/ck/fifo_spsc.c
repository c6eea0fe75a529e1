// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: the queue for one producer and one consumer keeps the order
#include "../common.h"
#include <ck_fifo.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t stub, entries[2];
static int values[2];

static void *producer(void *arg) {
    (void)arg;
    ck_fifo_spsc_enqueue(&fifo, &entries[0], &values[0]);
    ck_fifo_spsc_enqueue(&fifo, &entries[1], &values[1]);
    return NULL;
}

static void *consumer(void *arg) {
    int *got;
    (void)arg;
    while (!ck_fifo_spsc_dequeue(&fifo, &got))
        ;
    assert(got == &values[0]);
    while (!ck_fifo_spsc_dequeue(&fifo, &got))
        ;
    assert(got == &values[1]);
    return NULL;
}

int main(void) {
    ck_fifo_spsc_init(&fifo, &stub);
    two(producer, consumer);
    return 0;
}

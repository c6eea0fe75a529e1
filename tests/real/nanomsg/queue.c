// sources: src/utils/queue.c
// flags: -Isrc/utils
// verdict: true
// checks: the intrusive queue under a mutex keeps the order (with the library's own assertions)
#include "../common.h"
#include <stdlib.h>
#include "queue.h"

void nn_err_abort(void) { abort(); }
void nn_backtrace_print(void) {}

static struct nn_queue queue;
static struct nn_queue_item items[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        nn_queue_push(&queue, &items[i]);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static struct nn_queue_item *pop(void) {
    pthread_mutex_lock(&mutex);
    struct nn_queue_item *item = nn_queue_pop(&queue);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *consumer(void *arg) {
    struct nn_queue_item *first = pop(), *second = pop();
    (void)arg;
    assert(first == NULL || first == &items[0]);
    assert(second == NULL || second == (first == NULL ? &items[0] : &items[1]));
    return NULL;
}

int main(void) {
    nn_queue_init(&queue);
    nn_queue_item_init(&items[0]);
    nn_queue_item_init(&items[1]);
    two(producer, consumer);
    return 0;
}

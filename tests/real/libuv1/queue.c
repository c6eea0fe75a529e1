// flags: -Isrc -include stddef.h
// verdict: true
// checks: the queue of the loop under a mutex gives each entry to one thread
#include "../common.h"
#include "queue.h"

static QUEUE head, a, b;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static QUEUE *got[2];

static QUEUE *take(void) {
    pthread_mutex_lock(&mutex);
    QUEUE *first = QUEUE_HEAD(&head);
    QUEUE_REMOVE(first);
    pthread_mutex_unlock(&mutex);
    return first;
}

static void *one(void *arg) {
    (void)arg;
    got[0] = take();
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    got[1] = take();
    return NULL;
}

int main(void) {
    QUEUE_INIT(&head);
    QUEUE_INSERT_TAIL(&head, &a);
    QUEUE_INSERT_TAIL(&head, &b);
    two(one, other);
    assert(got[0] != got[1] && QUEUE_EMPTY(&head));
    return 0;
}

// flags: -Iinclude/bsd -Iinclude -DLIBBSD_OVERLAY
// verdict: true
// checks: a tail queue under a mutex and a condition gives what was put in, in that order
#include "../common.h"
#include <sys/queue.h>

struct item { int number; TAILQ_ENTRY(item) link; };

static TAILQ_HEAD(items, item) queue = TAILQ_HEAD_INITIALIZER(queue);
static struct item all[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        TAILQ_INSERT_TAIL(&queue, &all[i], link);
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        while (TAILQ_EMPTY(&queue))
            pthread_cond_wait(&filled, &mutex);
        struct item *item = TAILQ_FIRST(&queue);
        TAILQ_REMOVE(&queue, item, link);
        pthread_mutex_unlock(&mutex);
        assert(item == &all[i]);
    }
    return NULL;
}

int main(void) {
    two(producer, consumer);
    return 0;
}

// verdict: true
// rules: monolithic
// why: precision
//
// A server: requests from malloc in a bounded queue, workers that handle and free them.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 2
#define QUEUE_SIZE 4
#define REQUESTS 3

enum method { METHOD_GET, METHOD_PUT, METHOD_QUIT };

struct request {
    enum method method;
    int key;
    int value;
};

struct queue {
    struct request *items[QUEUE_SIZE];
    int head, tail, count;
    pthread_mutex_t lock;
};

static struct queue queue;
static int store[8];
static pthread_mutex_t store_lock = PTHREAD_MUTEX_INITIALIZER;
static int handled;

static void queue_init(struct queue *q)
{
    memset(q->items, 0, sizeof(q->items));
    q->head = q->tail = q->count = 0;
    if (pthread_mutex_init(&q->lock, NULL) != 0) {
        perror("pthread_mutex_init");
        exit(EXIT_FAILURE);
    }
}

static bool queue_put(struct queue *q, struct request *r)
{
    bool done = false;
    pthread_mutex_lock(&q->lock);
    if (q->count < QUEUE_SIZE) {
        q->items[q->tail] = r;
        q->tail = (q->tail + 1) % QUEUE_SIZE;
        q->count++;
        done = true;
    }
    pthread_mutex_unlock(&q->lock);
    return done;
}

static struct request *queue_get(struct queue *q)
{
    struct request *r = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->count > 0) {
        r = q->items[q->head];
        q->items[q->head] = NULL;
        q->head = (q->head + 1) % QUEUE_SIZE;
        q->count--;
    }
    assert(q->count >= 0);
    pthread_mutex_unlock(&q->lock);
    return r;
}

static void handle(struct request *r)
{
    pthread_mutex_lock(&store_lock);
    switch (r->method) {
    case METHOD_GET:
        printf("%d -> %d\n", r->key, store[r->key]);
        break;
    case METHOD_PUT:
        store[r->key] = r->value;
        break;
    default:
        break;
    }
    handled++;
    pthread_mutex_unlock(&store_lock);
}

static void *worker(void *arg)
{
    (void)arg;
    struct request *r = queue_get(&queue);
    if (r != NULL) {
        handle(r);
        free(r);
    }
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    queue_init(&queue);
    for (int i = 0; i < REQUESTS; i++) {
        struct request *r = malloc(sizeof(*r));
        if (!r)
            return 1;
        r->method = METHOD_PUT;
        r->key = i;
        r->value = i * 100;
        if (!queue_put(&queue, r))
            free(r);
    }
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&workers[i], NULL, worker, NULL) != 0)
            exit(EXIT_FAILURE);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(handled == WORKERS);
    assert(queue.count == REQUESTS - WORKERS);
    return 0;
}

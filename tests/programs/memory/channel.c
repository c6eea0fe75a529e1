// verdict: true
// rules: all
// why: precision
//
// Producer and consumer with heap nodes in a channel that keeps a pointer to its last link.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    int seq;
    int payload;
    struct item *next;
};

struct channel {
    struct item *head;
    struct item **tail;
    pthread_mutex_t mtx;
    int closed;
};

static struct channel ch = { NULL, &ch.head, PTHREAD_MUTEX_INITIALIZER, 0 };

static void channel_send(struct channel *c, int seq, int payload)
{
    struct item *it = malloc(sizeof(struct item));
    if (it == NULL) {
        fprintf(stderr, "no memory\n");
        abort();
    }
    it->seq = seq;
    it->payload = payload;
    it->next = NULL;
    pthread_mutex_lock(&c->mtx);
    *c->tail = it;
    c->tail = &it->next;
    pthread_mutex_unlock(&c->mtx);
}

static int channel_receive(struct channel *c, int *seq, int *payload)
{
    struct item *it;
    pthread_mutex_lock(&c->mtx);
    it = c->head;
    if (it != NULL) {
        c->head = it->next;
        if (c->head == NULL)
            c->tail = &c->head;
    }
    pthread_mutex_unlock(&c->mtx);
    if (it == NULL)
        return 0;
    *seq = it->seq;
    *payload = it->payload;
    free(it);
    return 1;
}

static void *producer(void *arg)
{
    int i;
    for (i = 0; i < 2; i++)
        channel_send(&ch, i, i * 10);
    return arg;
}

static void *consumer(void *arg)
{
    int seq, payload, last = -1;
    while (channel_receive(&ch, &seq, &payload)) {
        assert(seq > last);
        assert(payload == seq * 10);
        last = seq;
    }
    return arg;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}

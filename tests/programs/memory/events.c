// verdict: true
// rules: all
// why: precision
//
// An event bus: callbacks in a linked list, events as tagged unions.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum event_type { EVENT_KEY, EVENT_MOUSE };

struct event {
    enum event_type type;
    union {
        struct { int code; unsigned char pressed; } key;
        struct { short x, y; } mouse;
    } u;
};

typedef void (*handler_t)(const struct event *, void *);

struct subscriber {
    handler_t handler;
    void *context;
    struct subscriber *next;
};

static struct subscriber *subscribers;
static pthread_mutex_t bus_lock = PTHREAD_MUTEX_INITIALIZER;

static void subscribe(handler_t handler, void *context)
{
    struct subscriber *s = calloc(1, sizeof *s);
    s->handler = handler;
    s->context = context;
    pthread_mutex_lock(&bus_lock);
    s->next = subscribers;
    subscribers = s;
    pthread_mutex_unlock(&bus_lock);
}

static void publish(const struct event *e)
{
    pthread_mutex_lock(&bus_lock);
    for (struct subscriber *s = subscribers; s; s = s->next)
        s->handler(e, s->context);
    pthread_mutex_unlock(&bus_lock);
}

struct totals { int keys; int distance; };
static struct totals totals;

static void on_key(const struct event *e, void *context)
{
    struct totals *t = context;
    if (e->type == EVENT_KEY && e->u.key.pressed)
        t->keys += 1;
}

static void on_mouse(const struct event *e, void *context)
{
    struct totals *t = context;
    if (e->type == EVENT_MOUSE)
        t->distance += e->u.mouse.x + e->u.mouse.y;
}

static void *keyboard(void *arg)
{
    struct event e;
    memset(&e, 0, sizeof e);
    e.type = EVENT_KEY;
    e.u.key.code = 65;
    e.u.key.pressed = 1;
    publish(&e);
    return NULL;
}

static void *mouse(void *arg)
{
    struct event e = { .type = EVENT_MOUSE, .u.mouse = { 3, 4 } };
    publish(&e);
    return NULL;
}

int main(void)
{
    pthread_t k, m;
    subscribe(on_key, &totals);
    subscribe(on_mouse, &totals);
    pthread_create(&k, NULL, keyboard, NULL);
    pthread_create(&m, NULL, mouse, NULL);
    pthread_join(k, NULL);
    pthread_join(m, NULL);
    assert(totals.keys == 1);
    assert(totals.distance == 7);
    return 0;
}

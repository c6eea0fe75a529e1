// verdict: true
// rules: all
// why: precision
//
// Reference counting: whoever drops the last reference frees the object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int refs;
    int payload;
};

static int freed;

static struct object *object_new(int payload)
{
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->refs, 1);
    o->payload = payload;
    return o;
}

static struct object *object_get(struct object *o)
{
    atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
    return o;
}

static void object_put(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == 1) {
        assert(freed == 0);
        freed = 1;
        free(o);
    }
}

static void *user(void *arg)
{
    struct object *o = arg;
    assert(!freed);
    assert(o->payload == 3);
    object_put(o);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    struct object *o = object_new(3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, object_get(o));
    object_put(o);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(freed == 1);
    return 0;
}

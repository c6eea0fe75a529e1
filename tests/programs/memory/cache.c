// verdict: true
// rules: all
// why: precision
//
// A cache with hash buckets, each with a lock of its own.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 4
#define HASH(key) (((key) * 2654435761u) >> 30)

struct entry {
    uint32_t key;
    int value;
    struct entry *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct entry *chain;
};

struct cache {
    struct bucket buckets[BUCKETS];
    unsigned int size;
};

static struct cache cache;

static void cache_init(struct cache *c)
{
    size_t i;
    for (i = 0; i < BUCKETS; i++) {
        pthread_mutex_init(&c->buckets[i].lock, NULL);
        c->buckets[i].chain = NULL;
    }
    c->size = 0;
}

static struct entry *find(struct bucket *b, uint32_t key)
{
    struct entry *e;
    for (e = b->chain; e != NULL; e = e->next)
        if (e->key == key)
            return e;
    return NULL;
}

static void cache_put(struct cache *c, uint32_t key, int value)
{
    struct bucket *b = &c->buckets[HASH(key)];
    struct entry *e;

    pthread_mutex_lock(&b->lock);
    e = find(b, key);
    if (e == NULL) {
        e = malloc(sizeof(*e));
        e->key = key;
        e->next = b->chain;
        b->chain = e;
    }
    e->value = value;
    pthread_mutex_unlock(&b->lock);
}

static int cache_get(struct cache *c, uint32_t key, int *value)
{
    struct bucket *b = &c->buckets[HASH(key)];
    int found = 0;

    pthread_mutex_lock(&b->lock);
    struct entry *e = find(b, key);
    if (e) {
        *value = e->value;
        found = 1;
    }
    pthread_mutex_unlock(&b->lock);
    return found;
}

static void *writer(void *arg)
{
    cache_put(&cache, 1, 10);
    return NULL;
}

static void *other_writer(void *arg)
{
    cache_put(&cache, 2, 20);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int value;

    cache_init(&cache);
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, other_writer, NULL);
    if (cache_get(&cache, 1, &value))
        assert(value == 10);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cache_get(&cache, 2, &value) && value == 20);
    return 0;
}

// sources: cache.c
// flags: -I. -DNDEBUG
// verdict: true
// checks: two threads never hold the same object of the cache
#undef NDEBUG
#include "../common.h"
#include "cache.h"

static cache_t *cache;
static void *held[2];

static void *one(void *arg) {
    (void)arg;
    held[0] = cache_alloc(cache);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    held[1] = cache_alloc(cache);
    return NULL;
}

int main(void) {
    cache = cache_create("objects", sizeof(struct cache_free_s), 0);
    if (cache == NULL)
        return 1;
    void *first = cache_alloc(cache);
    if (first == NULL)
        return 1;
    cache_free(cache, first);
    two(one, other);
    assert(held[0] == NULL || held[0] != held[1]);
    return 0;
}

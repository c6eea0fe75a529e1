// flags: -Iinclude -include jemalloc_preamble.h
// verdict: true
// checks: what a reader of the sequence-locked pair accepts is one writer's pair
#include "../common.h"
#include "jemalloc/internal/seq.h"

typedef struct { size_t low, high; } pair_t;
seq_define(pair_t, pair)

static seq_pair_t shared;

static void *writer(void *arg) {
    pair_t pair = { 1, 1 };
    (void)arg;
    seq_store_pair(&shared, &pair);
    return NULL;
}

static void *reader(void *arg) {
    pair_t pair;
    (void)arg;
    if (seq_try_load_pair(&pair, &shared))
        assert(pair.low == pair.high);
    return NULL;
}

int main(void) {
    two(writer, reader);
    return 0;
}

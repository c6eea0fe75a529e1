// flags: -Iinclude -include jemalloc_preamble.h
// verdict: true
// checks: what two producers push into the queue comes out once each
#include "../common.h"
#include "jemalloc/internal/ql.h"
#include "jemalloc/internal/mpsc_queue.h"

typedef struct element_s element_t;
struct element_s {
    ql_elm(element_t) link;
};
typedef ql_head(element_t) list_t;
typedef mpsc_queue(element_t) queue_t;
mpsc_queue_proto(static, elements_, queue_t, element_t, list_t);
mpsc_queue_gen(static, elements_, queue_t, element_t, list_t, link);

static queue_t queue;
static element_t a, b;

static void *one(void *arg) {
    (void)arg;
    elements_push(&queue, &a);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    elements_push(&queue, &b);
    return NULL;
}

int main(void) {
    list_t list;
    elements_new(&queue);
    two(one, other);
    ql_new(&list);
    elements_pop_batch(&queue, &list);
    element_t *first = ql_first(&list), *last = ql_last(&list, link);
    assert(first != last && (first == &a || first == &b) && (last == &a || last == &b));
    return 0;
}

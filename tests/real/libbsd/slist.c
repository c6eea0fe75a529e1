// flags: -Iinclude/bsd -Iinclude -DLIBBSD_OVERLAY
// verdict: false(unreach-call)
// checks: a singly-linked list without a lock loses one of two insertions
#include "../common.h"
#include <sys/queue.h>

struct item { SLIST_ENTRY(item) link; };

static SLIST_HEAD(items, item) list = SLIST_HEAD_INITIALIZER(list);
static struct item a, b;

static void *one(void *arg) {
    (void)arg;
    SLIST_INSERT_HEAD(&list, &a, link);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    SLIST_INSERT_HEAD(&list, &b, link);
    return NULL;
}

int main(void) {
    int length = 0;
    struct item *item;
    two(one, other);
    SLIST_FOREACH(item, &list, link)
        length++;
    assert(length == 2);
    return 0;
}

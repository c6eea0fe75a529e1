// sources: src/pulsecore/flist.c
// flags: -Isrc -DHAVE_CONFIG_H -include config.h -include pulsecore/log.h
// verdict: true
// checks: two threads that take from the lock-free free list never get the same entry
#include "../common.h"
#include <pulsecore/flist.h>

static pa_flist *list;
static int a, b;
static void *got[2];

static void *one(void *arg) {
    (void)arg;
    got[0] = pa_flist_pop(list);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    got[1] = pa_flist_pop(list);
    return NULL;
}

int main(void) {
    list = pa_flist_new(2);
    if (list == NULL)
        return 1;
    pa_flist_push(list, &a);
    pa_flist_push(list, &b);
    two(one, other);
    assert(got[0] != NULL && got[1] != NULL && got[0] != got[1]);
    return 0;
}

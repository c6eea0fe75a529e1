// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: a reader of the RCU list sees an entry that is added only when it is whole
#include "../common.h"
#include <urcu-pointer.h>
#include <urcu/rculist.h>

struct entry { int value; struct cds_list_head link; };

static CDS_LIST_HEAD(list);
static struct entry added;

static void *writer(void *arg) {
    (void)arg;
    added.value = 1;
    cds_list_add_rcu(&added.link, &list);
    return NULL;
}

static void *reader(void *arg) {
    struct entry *entry;
    (void)arg;
    cds_list_for_each_entry_rcu(entry, &list, link)
        assert(entry->value == 1);
    return NULL;
}

int main(void) {
    two(writer, reader);
    return 0;
}

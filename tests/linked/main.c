// Two files that share a struct, a struct without a tag, an array whose length only one of them knows, and inline functions; names that
// are static in both are different things. With -DBROKEN an update is lost.
#include <assert.h>
#include "account.h"

static int calls = 7;
static int add(int x, int y) { return x - y; }

static struct entry entries[2] = { { 1, 0 }, { 2, 0 } };

static void *pay(void *argument) {
    struct entry *entry = argument;
    assert(deposit(&common, entry) == doubled(entry->amount));
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, pay, &entries[0]);
    pthread_create(&two, 0, pay, &entries[1]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(common.sum == 3 && common.deposits == 2);
    assert(calls == 7 && add(5, 3) == 2 && tripled(limits[1]) == 60);
    return 0;
}

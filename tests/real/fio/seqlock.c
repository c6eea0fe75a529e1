// flags: -I. -include stdbool.h -DCONFIG_HAVE_BOOL
// verdict: true
// checks: what a reader of the sequence lock accepts is one writer's pair
#include "../common.h"
#include "lib/seqlock.h"

static struct seqlock lock;
static volatile int low, high;

static void *reader(void *arg) {
    unsigned int version;
    int a, b;
    (void)arg;
    do {
        version = read_seqlock_begin(&lock);
        a = low;
        b = high;
    } while (read_seqlock_retry(&lock, version));
    assert(a == b);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    write_seqlock_begin(&lock);
    low = 1;
    high = 1;
    write_seqlock_end(&lock);
    return NULL;
}

int main(void) {
    seqlock_init(&lock);
    two(writer, reader);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: what a reader of swlock sees does not change while it reads; two readers, one writer
#include "../common.h"
#include <ck_swlock.h>

static ck_swlock_t lock;
static int low, high;

static void *reader(void *arg) {
    (void)arg;
    ck_swlock_read_lock(&lock);
    int seen = low;
    assert(high == seen);
    ck_swlock_read_unlock(&lock);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    ck_swlock_write_lock(&lock);
    low = 1;
    high = 1;
    ck_swlock_write_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one;
    ck_swlock_init(&lock);
    pthread_create(&one, NULL, writer, NULL);
    two(reader, reader);
    return 0;
}

// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: what a reader of the sequence lock accepts is one writer's pair
#include "../common.h"
#include <ck_sequence.h>

static ck_sequence_t lock = CK_SEQUENCE_INITIALIZER;
static int low, high;

static void *reader(void *arg) {
    unsigned int version;
    int a, b;
    (void)arg;
    do {
        version = ck_sequence_read_begin(&lock);
        a = ck_pr_load_int(&low);
        b = ck_pr_load_int(&high);
    } while (ck_sequence_read_retry(&lock, version));
    assert(a == b);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    ck_sequence_write_begin(&lock);
    ck_pr_store_int(&low, 1);
    ck_pr_store_int(&high, 1);
    ck_sequence_write_end(&lock);
    return NULL;
}

int main(void) {
    two(writer, reader);
    return 0;
}

// flags: -Iinclude -D_LGPL_SOURCE
// verdict: true
// checks: the object is released once, by the last of two threads that put their reference
#include "../common.h"
#include <urcu/ref.h>

static struct urcu_ref reference;
static int released;

static void release(struct urcu_ref *ref) {
    (void)ref;
    released++;
}

static void *worker(void *arg) {
    (void)arg;
    assert(released == 0);
    urcu_ref_put(&reference, release);
    return NULL;
}

int main(void) {
    urcu_ref_set(&reference, 2);
    two(worker, worker);
    assert(released == 1);
    return 0;
}

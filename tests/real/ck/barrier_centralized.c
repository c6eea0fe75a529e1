// sources: src/ck_barrier_centralized.c
// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: nobody leaves the centralized barrier before the other of two threads has come
#include "../common.h"
#include <ck_barrier.h>

static ck_barrier_centralized_t barrier = CK_BARRIER_CENTRALIZED_INITIALIZER;
static int came[2];

static void *one(void *arg) {
    ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
    (void)arg;
    came[0] = 1;
    ck_barrier_centralized(&barrier, &state, 2);
    assert(came[1] == 1);
    return NULL;
}

static void *other(void *arg) {
    ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
    (void)arg;
    came[1] = 1;
    ck_barrier_centralized(&barrier, &state, 2);
    assert(came[0] == 1);
    return NULL;
}

int main(void) {
    two(one, other);
    return 0;
}

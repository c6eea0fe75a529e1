// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: two threads that pop never get the same entry
#include "../common.h"
#include <ck_stack.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];
static ck_stack_entry_t *got[2];

static void *one(void *arg) {
    (void)arg;
    got[0] = ck_stack_pop_upmc(&stack);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    got[1] = ck_stack_pop_upmc(&stack);
    return NULL;
}

int main(void) {
    ck_stack_push_upmc(&stack, &entries[0]);
    ck_stack_push_upmc(&stack, &entries[1]);
    two(one, other);
    assert(got[0] != got[1] && got[0] != NULL && got[1] != NULL);
    return 0;
}

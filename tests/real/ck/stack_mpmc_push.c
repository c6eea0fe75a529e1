// flags: -Iinclude -DCK_USE_CC_BUILTINS=1
// verdict: true
// checks: of two entries that two threads push, both are in the stack afterwards
#include "../common.h"
#include <ck_stack.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void *one(void *arg) {
    (void)arg;
    ck_stack_push_upmc(&stack, &entries[0]);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    ck_stack_push_upmc(&stack, &entries[1]);
    return NULL;
}

int main(void) {
    two(one, other);
    ck_stack_entry_t *first = ck_stack_pop_npsc(&stack), *second = ck_stack_pop_npsc(&stack);
    assert(first != NULL && second != NULL && first != second);
    assert(ck_stack_pop_npsc(&stack) == NULL);
    return 0;
}

// flags: -Isrc
// verdict: false(unreach-call)
// checks: a stack without a lock gives one entry to both of two threads
#include "../common.h"
#include <stdlib.h>
#include "utstack.h"

struct entry { struct entry *next; };

static struct entry *head, a, b;
static struct entry *got[2];

static void *one(void *arg) {
    (void)arg;
    STACK_POP(head, got[0]);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    STACK_POP(head, got[1]);
    return NULL;
}

int main(void) {
    STACK_PUSH(head, &a);
    STACK_PUSH(head, &b);
    two(one, other);
    assert(got[0] != got[1]);
    return 0;
}

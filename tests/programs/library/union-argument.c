// verdict: true
// rules: all
// why: precision
//
// A member of a transparent union is passed for the union.

#include <assert.h>

struct plain { int head; };
struct locked { int head; int lock; };

typedef union {
    struct plain *plain;
    struct locked *locked;
} either __attribute__((__transparent_union__));

static int head(either list) { return list.plain->head; }

int main(void) {
    struct plain a = { 1 };
    struct locked b = { 2, 3 };
    assert(head(&a) == 1);
    assert(head(&b) == 2);
    return 0;
}

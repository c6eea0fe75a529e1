// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// A pointer in a new block has no value.
#include <stdlib.h>
struct n { struct n *next; };
int main(void) {
    struct n *p = malloc(sizeof *p);
    struct n *q = p->next;
    free(p);
    return q != 0;
}

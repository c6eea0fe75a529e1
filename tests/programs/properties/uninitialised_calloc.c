// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// calloc gives pointers a value: null.
#include <stdlib.h>
struct n { struct n *next; };
int main(void) {
    struct n *p = calloc(1, sizeof *p);
    struct n *q = p->next;
    free(p);
    return q != 0;
}

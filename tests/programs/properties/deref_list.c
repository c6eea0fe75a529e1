// property: valid-deref,valid-free
// verdict: true
// rules: all
// why: precision
//
// A list is built and taken down.
#include <stdlib.h>
struct n { struct n *next; int v; };
int main(void) {
    struct n *l = 0;
    for (int i = 0; i < 3; i++) {
        struct n *x = malloc(sizeof *x);
        x->next = l;
        x->v = i;
        l = x;
    }
    while (l) {
        struct n *x = l->next;
        free(l);
        l = x;
    }
    return 0;
}

// run: prove --property valid-deref
#include <stdlib.h>
struct node { int v; struct node *next; };
static int get(struct node *p) { return p->v; }
int main(void) {
    struct node *a = malloc(sizeof *a);
    a->v = 1;
    a->next = 0;
    return get(a->next);
}

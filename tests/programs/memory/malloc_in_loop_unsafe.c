// verdict: false
// rules: all
// why: soundness
//
// A list built by a loop without constant bound: the second node's value is wrong.
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *head = NULL;
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p);
        p->value = n;
        p->next = head;
        head = p;
        n++;
    }
    if (head != NULL && head->next != NULL)
        assert(head->value == head->next->value);
    return 0;
}

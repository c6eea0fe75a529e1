// property: valid-memtrack
// verdict: true
// rules: all
// why: precision
//
// A list of two blocks: a global leads to the first, that to the second.
#include <stdlib.h>
struct node { struct node *next; };
struct node *head;
int main(void) {
    struct node *first = malloc(sizeof *first);
    first->next = 0;
    head = first;
    struct node *second = malloc(sizeof *second);
    second->next = head;
    head = second;
    return 0;
}

// property: valid-memtrack
// verdict: false
// rules: all
// why: soundness
//
// Two blocks that lead to each other are lost together.
#include <stdlib.h>
struct node { struct node *next; };
struct node *head;
int main(void) {
    head = malloc(sizeof *head);
    head->next = malloc(sizeof *head);
    head->next->next = head;
    head = 0;
    return 0;
}

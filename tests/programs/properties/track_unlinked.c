// property: valid-memtrack
// verdict: false
// rules: all
// why: soundness
//
// The second block of a list is lost with the link of the first.
#include <stdlib.h>
struct node { struct node *next; };
struct node *head;
int main(void) {
    head = malloc(sizeof *head);
    head->next = malloc(sizeof *head);
    head->next->next = 0;
    head->next = 0;
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A loop of constant bound allocates so many objects, each told apart.
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0, length = 0;
    for (struct node *n = head; n; n = n->next) {
        sum += n->value;
        length++;
    }
    assert(sum == 6 && length == 4);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Without the mutex a node is lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = head;
    head = n;
}
void *one(void *arg) { push(1); return NULL; }
void *two(void *arg) { push(2); return NULL; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(head->next != NULL);
    return 0;
}

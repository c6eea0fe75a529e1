// verdict: false
// rules: all
// why: soundness
//
// A stack whose push is a load and a store loses a node.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
_Atomic(struct node *) top;
static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    atomic_store(&top, n);
}
void *one(void *arg) { push(1); return NULL; }
void *two(void *arg) { push(2); return NULL; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *n = atomic_load(&top);
    assert(n->next != NULL);
    return 0;
}

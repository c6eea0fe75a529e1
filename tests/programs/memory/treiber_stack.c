// verdict: true
// rules: all
// why: precision
//
// A Treiber stack with nodes from malloc: two pushes by compare-and-swap, both are there afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
_Atomic(struct node *) top;
static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    do {
        n->next = atomic_load(&top);
    } while (!atomic_compare_exchange_strong(&top, &n->next, n));
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
    assert(n != NULL && n->next != NULL && n->next->next == NULL);
    assert(n->value + n->next->value == 3);
    return 0;
}

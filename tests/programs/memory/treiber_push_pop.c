// verdict: true
// rules: all
// why: precision
//
// One thread pushes, another pops what it finds: the value is the one that was pushed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
_Atomic(struct node *) top;
void *pusher(void *arg) {
    struct node *n = malloc(sizeof *n);
    n->value = 7;
    struct node *old = atomic_load(&top);
    do {
        n->next = old;
    } while (!atomic_compare_exchange_weak(&top, &old, n));
    return NULL;
}
void *popper(void *arg) {
    struct node *old = atomic_load(&top);
    while (old != NULL && !atomic_compare_exchange_weak(&top, &old, old->next)) {
    }
    if (old != NULL) {
        assert(old->value == 7);
        free(old);
    }
    return NULL;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pusher, NULL);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// verdict: true
// about: a stack of blocks by compare-and-swap; nodes are only read once they are in

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; int v; };
struct node *_Atomic top;
void *push(void *unused) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return 0;
    n->v = 1;
    struct node *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, n));
    return 0;
}
void *peek(void *unused) {
    struct node *n = atomic_load(&top);
    int v = n ? n->v : 0;
    (void)v;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, push, 0);
    pthread_create(&t, 0, peek, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Michael and Scott's queue with the link set before the value: what is dequeued may not have been written yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; _Atomic(struct node *) next; };
_Atomic(struct node *) head, tail;
static void enqueue(int value) {
    struct node *n = malloc(sizeof *n);
    atomic_store(&n->next, NULL);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            n->value = value;
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
    }
}
static int dequeue(int *value) {
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (first == last) {
            if (next == NULL)
                return 0;
            atomic_compare_exchange_strong(&tail, &last, next);
        } else {
            *value = next->value;
            if (atomic_compare_exchange_strong(&head, &first, next))
                return 1;
        }
    }
}
void *producer(void *arg) { enqueue(5); return NULL; }
int main(void) {
    struct node *dummy = malloc(sizeof *dummy);
    atomic_store(&dummy->next, NULL);
    atomic_store(&head, dummy);
    atomic_store(&tail, dummy);
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    int value = 0;
    if (dequeue(&value))
        assert(value == 5);
    pthread_join(t, NULL);
    return 0;
}

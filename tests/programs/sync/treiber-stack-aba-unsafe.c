// verdict: false
// rules: all
// why: soundness
//
// The ABA problem: while one thread pops, the other takes both nodes and puts the first one back. The compare-and-swap
// succeeds, and a node that was taken is on the stack again.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *next;
};

struct node a, b;
_Atomic(struct node *) head = &a;
int b_taken;

void *popper(void *arg)
{
    struct node *seen = atomic_load(&head);
    struct node *next = seen->next;

    if (atomic_compare_exchange_strong(&head, &seen, next) && next == &b)
        assert(!b_taken);
    return NULL;
}

void *other(void *arg)
{
    struct node *first = atomic_load(&head);

    if (first == &a && atomic_compare_exchange_strong(&head, &first, a.next)) {
        first = &b;
        if (atomic_compare_exchange_strong(&head, &first, NULL)) {
            b_taken = 1;
            a.next = NULL;
            first = NULL;
            atomic_compare_exchange_strong(&head, &first, &a);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    a.next = &b;
    pthread_create(&one, NULL, popper, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A stack by compare-and-swap: what was pushed by two threads is there, each once.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *next;
    int value;
};

struct node nodes[2];
_Atomic(struct node *) head;

void push(struct node *node)
{
    struct node *seen = atomic_load(&head);

    do
        node->next = seen;
    while (!atomic_compare_exchange_strong(&head, &seen, node));
}

struct node *pop(void)
{
    struct node *seen = atomic_load(&head);

    while (seen != NULL && !atomic_compare_exchange_strong(&head, &seen, seen->next))
        ;
    return seen;
}

void *worker(void *arg)
{
    push(arg);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, &nodes[0]);
    pthread_create(&two, NULL, worker, &nodes[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    struct node *first = pop(), *second = pop();
    assert(first != NULL && second != NULL && first != second);
    return 0;
}

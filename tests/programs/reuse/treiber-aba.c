// verdict: false
// rules: all
// why: soundness
//
// Treiber's stack with malloc and free: a popper holds the first node and its successor while another thread pops both, pushes a new
// node that gets the memory of the first, and takes the memory of the second for itself. The popper's exchange succeeds (ABA), and what
// is nobody else's is on the stack.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) top;

static void push(int value)
{
    struct node *new = malloc(sizeof(struct node));
    new->value = value;
    struct node *old = atomic_load(&top);
    do {
        new->next = old;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static int pop(void)
{
    struct node *old = atomic_load(&top);
    struct node *next;
    do {
        if (!old)
            return -1;
        next = old->next;
    } while (!atomic_compare_exchange_strong(&top, &old, next));
    int value = old->value;
    free(old);
    return value;
}

void *popper(void *arg)
{
    pop();
    return NULL;
}

void *churner(void *arg)
{
    pop();
    pop();
    push(3);
    struct node *own = malloc(sizeof(struct node));
    own->value = 7;
    own->next = NULL;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    push(1);
    push(2);
    pthread_create(&one, NULL, popper, NULL);
    pthread_create(&two, NULL, churner, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(pop() != 7);
    return 0;
}

// verdict: false
//
// A lock-free stack of numbered nodes, which are used again: a pop that was interrupted puts back a node that is in use.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3

atomic_int head = 1;
int next[NODES + 1] = { 0, 2, 3, 0 };
atomic_int in_use[NODES + 1];

int pop(void)
{
    int h = head;
    if (h == 0)
        return 0;
    int n = next[h];
    return atomic_compare_exchange_strong(&head, &h, n) ? h : 0;
}

void push(int node)
{
    int h = head;
    next[node] = h;
    atomic_compare_exchange_strong(&head, &h, node);
}

int get(void)
{
    int node = pop();
    if (node)
        assert(atomic_fetch_add(&in_use[node], 1) == 0);
    return node;
}

void *one(void *arg)
{
    get();
    get();
    return 0;
}

void *two(void *arg)
{
    int a = get();
    get();
    if (a) {
        in_use[a] = 0;
        push(a);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

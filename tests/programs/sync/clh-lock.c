// verdict: true
// rules: all
// why: precision
//
// The lock of Craig, Landin and Hagersten: each spins on the node of the thread before it.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int locked;
};

struct node nodes[3];
_Atomic(struct node *) tail = &nodes[2];
int x;

void *worker(void *arg)
{
    struct node *mine = arg;

    atomic_store(&mine->locked, 1);
    struct node *before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->locked))
        ;
    x = 1;
    assert(x == 1);
    x = 0;
    atomic_store(&mine->locked, 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, worker, &nodes[0]);
    pthread_create(&two, NULL, worker, &nodes[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

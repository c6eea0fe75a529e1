// verdict: false
// rules: all
// why: soundness
//
// The node is not locked while its thread holds the lock.

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

    atomic_store(&mine->locked, 0);
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

// verdict: true
// rules: all
// why: precision
//
// The lock of Mellor-Crummey and Scott: a queue of waiting threads, each spinning on its own node.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

struct node nodes[2];
_Atomic(struct node *) tail;
int x;

void lock(struct node *mine)
{
    atomic_store(&mine->next, NULL);
    struct node *before = atomic_exchange(&tail, mine);
    if (before != NULL) {
        atomic_store(&mine->waits, 1);
        atomic_store(&before->next, mine);
        while (atomic_load(&mine->waits))
            ;
    }
}

void unlock(struct node *mine)
{
    struct node *expected = mine;

    if (atomic_load(&mine->next) == NULL) {
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (atomic_load(&mine->next) == NULL)
            ;
    }
    atomic_store(&atomic_load(&mine->next)->waits, 0);
}

void *worker(void *arg)
{
    struct node *mine = arg;

    lock(mine);
    x = 1;
    assert(x == 1);
    x = 0;
    unlock(mine);
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

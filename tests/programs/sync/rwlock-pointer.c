// verdict: true
// rules: all
// why: precision
//
// Read-write locks in structs, found through pointers.

#include <assert.h>
#include <pthread.h>

struct box {
    pthread_rwlock_t lock;
    int x, y;
} a, b;

void *writer(void *arg)
{
    struct box *box = arg;

    pthread_rwlock_wrlock(&box->lock);
    box->x = 1;
    box->y = 1;
    pthread_rwlock_unlock(&box->lock);
    return NULL;
}

void *reader(void *arg)
{
    struct box *box = __VERIFIER_nondet_bool() ? &a : &b;

    pthread_rwlock_rdlock(&box->lock);
    assert(box->x == box->y);
    pthread_rwlock_unlock(&box->lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_rwlock_init(&a.lock, NULL);
    pthread_rwlock_init(&b.lock, NULL);
    pthread_create(&one, NULL, writer, &b);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

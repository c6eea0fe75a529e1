// verdict: true
// rules: all
// why: precision
//
// The readers-writer lock as under table1, with each thread running through it once instead of for ever.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int w, r;
int x, y;

void __VERIFIER_atomic_write_lock(void)
{
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
}

void __VERIFIER_atomic_read_lock(void)
{
    __VERIFIER_assume(w == 0);
    r = r + 1;
}

void __VERIFIER_atomic_read_unlock(void)
{
    r = r - 1;
}

void *writer(void *arg)
{
    __VERIFIER_atomic_write_lock();
    x = 3;
    w = 0;
    return NULL;
}

void *reader(void *arg)
{
    int copy;

    __VERIFIER_atomic_read_lock();
    copy = x;
    y = copy;
    assert(y == x);
    __VERIFIER_atomic_read_unlock();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

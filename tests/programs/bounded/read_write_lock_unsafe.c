// verdict: false
//
// A read-write lock of counters whose reader looks for a writer and enters in two steps.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int writing, readers, x, y;

void *writer(void *arg)
{
    __VERIFIER_atomic_begin();
    if (writing || readers) {
        __VERIFIER_atomic_end();
        return 0;
    }
    writing = 1;
    __VERIFIER_atomic_end();
    x = 3;
    writing = 0;
    return 0;
}

void *reader(void *arg)
{
    if (writing)
        return 0;
    readers++;
    y = x;
    assert(y == x);
    readers--;
    return 0;
}

int main(void)
{
    pthread_t a, b, c, d;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_create(&d, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    return 0;
}

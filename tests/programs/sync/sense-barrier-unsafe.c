// verdict: false
// rules: all
// why: soundness
//
// The sense is not turned: the second round does not wait.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count = 2, sense;
int a, b;

void barrier(int mine)
{
    if (atomic_fetch_sub(&count, 1) == 1) {
        atomic_store(&count, 2);
        atomic_store(&sense, mine);
    } else {
        while (atomic_load(&sense) != mine)
            ;
    }
}

void *left(void *arg)
{
    a = 1;
    barrier(1);
    assert(b == 1);
    barrier(1);
    a = 2;
    return NULL;
}

void *right(void *arg)
{
    b = 1;
    barrier(1);
    assert(a == 1);
    barrier(1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

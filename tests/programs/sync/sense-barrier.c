// verdict: true
// rules: all
// why: precision
//
// A barrier that turns its sense with every round can be used again at once.

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
    barrier(0);
    a = 2;
    return NULL;
}

void *right(void *arg)
{
    b = 1;
    barrier(1);
    assert(a == 1);
    barrier(0);
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

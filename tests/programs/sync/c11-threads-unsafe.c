// verdict: false
// rules: all
// why: soundness
//
// A C11 mutex that only one of the threads takes.

#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int careful(void *arg)
{
    mtx_lock(&m);
    x = 1;
    assert(x == 1);
    mtx_unlock(&m);
    return 0;
}

int careless(void *arg)
{
    x = 2;
    thrd_exit(0);
}

int main(void)
{
    thrd_t one, two;

    mtx_init(&m, mtx_plain);
    thrd_create(&one, careful, NULL);
    thrd_create(&two, careless, NULL);
    thrd_join(one, NULL);
    thrd_join(two, NULL);
    return 0;
}

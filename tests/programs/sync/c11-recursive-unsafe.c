// verdict: false
// rules: all
// why: soundness
//
// Unlocked as often as locked, the mutex is free.

#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int worker(void *arg)
{
    mtx_lock(&m);
    mtx_lock(&m);
    mtx_unlock(&m);
    mtx_unlock(&m);
    x = 1;
    assert(x == 1);
    x = 0;
    return 0;
}

int main(void)
{
    thrd_t one, two;

    mtx_init(&m, mtx_plain | mtx_recursive);
    thrd_create(&one, worker, NULL);
    thrd_create(&two, worker, NULL);
    thrd_join(one, NULL);
    thrd_join(two, NULL);
    return 0;
}

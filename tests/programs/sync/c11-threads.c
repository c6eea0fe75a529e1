// verdict: true
// rules: all
// why: precision
//
// C11 threads, a mutex, and results by thrd_join.

#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int worker(void *arg)
{
    mtx_lock(&m);
    x = 1;
    assert(x == 1);
    x = 0;
    mtx_unlock(&m);
    return -3;
}

int main(void)
{
    thrd_t one, two;
    int result;

    mtx_init(&m, mtx_plain);
    thrd_create(&one, worker, NULL);
    thrd_create(&two, worker, NULL);
    thrd_join(one, &result);
    assert(result == -3);
    thrd_join(two, NULL);
    mtx_destroy(&m);
    return 0;
}

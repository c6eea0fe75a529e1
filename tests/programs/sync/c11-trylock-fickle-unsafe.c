// verdict: false
// rules: all
// why: soundness
//
// mtx_trylock may fail although the mutex is free.

#include <assert.h>
#include <threads.h>

mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    assert(mtx_trylock(&m) == thrd_success);
    return 0;
}

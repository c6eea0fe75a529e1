// verdict: false
// rules: all
// why: soundness
//
// A C11 condition variable, waited for once.

#include <assert.h>
#include <threads.h>

mtx_t m;
cnd_t c;
int ready;

int setter(void *arg)
{
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t one;

    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&one, setter, NULL);
    mtx_lock(&m);
    if (!ready)
        cnd_wait(&c, &m);
    assert(ready);
    mtx_unlock(&m);
    return 0;
}

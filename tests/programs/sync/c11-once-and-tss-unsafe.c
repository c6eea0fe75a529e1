// verdict: false
// rules: all
// why: soundness
//
// A thread's value under a key is null until the thread itself sets it.

#include <assert.h>
#include <threads.h>

once_flag once = ONCE_FLAG_INIT;
tss_t key;
int a;

void make(void)
{
    tss_create(&key, NULL);
}

int worker(void *arg)
{
    call_once(&once, make);
    assert(tss_get(key) == &a);
    return 0;
}

int main(void)
{
    thrd_t one;

    call_once(&once, make);
    tss_set(key, &a);
    thrd_create(&one, worker, NULL);
    thrd_join(one, NULL);
    return 0;
}

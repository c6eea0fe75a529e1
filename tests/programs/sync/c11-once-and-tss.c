// verdict: true
// rules: all
// why: precision
//
// call_once, and storage of each thread by tss_set and tss_get.

#include <assert.h>
#include <threads.h>

once_flag once = ONCE_FLAG_INIT;
tss_t key;
int a, made;

void make(void)
{
    tss_create(&key, NULL);
    made++;
}

int worker(void *arg)
{
    call_once(&once, make);
    tss_set(key, &a);
    assert(tss_get(key) == &a);
    return 0;
}

int main(void)
{
    thrd_t one;

    thrd_create(&one, worker, NULL);
    thrd_join(one, NULL);
    assert(made == 1);
    return 0;
}

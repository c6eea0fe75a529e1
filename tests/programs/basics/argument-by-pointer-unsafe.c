// verdict: false
// rules: all
// why: soundness
//
// main changes the local that it passed by pointer while the thread may be looking at it: the classic mistake with
// loop counters.

#include <assert.h>
#include <pthread.h>

void *look(void *arg)
{
    int *p = arg;

    assert(*p == 1);
    return NULL;
}

int main(void)
{
    pthread_t one;
    int n = 1;

    pthread_create(&one, NULL, look, &n);
    n = 2;
    pthread_join(one, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// main returns without joining: the thread may have run before, and have seen the last thing main wrote.

#include <assert.h>
#include <pthread.h>

int last;

void *look(void *arg)
{
    assert(last == 0);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, look, NULL);
    last = 1;
    return 0;
}

// verdict: true
// rules: all
// why: soundness
//
// A handle that was never given to a thread: the join fails at once, and the caller is told.

#include <assert.h>
#include <pthread.h>

pthread_t never;
int x;

void *other(void *arg)
{
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int first, second;

    pthread_create(&thread, NULL, other, NULL);
    first = pthread_join(never, NULL);
    second = pthread_join(thread, NULL);
    assert(first != 0 && second == 0 && x == 1);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// A static local is one variable for all threads: two of them can draw the same number.

#include <assert.h>
#include <pthread.h>

int ticket(void)
{
    static int next = 1;

    next = next + 1;
    return next - 1;
}

int a, b;

void *first(void *arg)
{
    a = ticket();
    return NULL;
}

void *second(void *arg)
{
    b = ticket();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(a != b);
    return 0;
}

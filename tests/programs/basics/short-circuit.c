// verdict: false
// rules: all
// why: soundness
//
// The two operands of && are read one after the other: a and b are never both set, yet the condition can come out
// true.

#include <assert.h>
#include <pthread.h>

int a, b;

void *swap(void *arg)
{
    a = 1;
    a = 0;
    b = 1;
    b = 0;
    return NULL;
}

void *look(void *arg)
{
    assert(!(a && b));
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, swap, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

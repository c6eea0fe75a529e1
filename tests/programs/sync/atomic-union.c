// verdict: true
// rules: all
// why: precision
//
// An `_Atomic` union is accessed whole, whatever its members.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

union word {
    unsigned whole;
    struct {
        unsigned short low, high;
    } half;
};

_Atomic union word w;

void *change(void *arg)
{
    union word v;

    v.half.low = 1;
    v.half.high = 1;
    w = v;
    return NULL;
}

void *look(void *arg)
{
    union word v = w;

    assert(v.half.low == v.half.high);
    assert(v.whole == 0 || v.whole == 65537);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, change, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

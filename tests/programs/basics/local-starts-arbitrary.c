// verdict: false
// rules: all
// why: soundness
//
// A local without initialiser starts with any value (reading it through its address is not undefined, merely
// unspecified), also in a second call.

#include <assert.h>
#include <pthread.h>

int keep(int first)
{
    int n;
    int *p = &n;

    if (first)
        *p = 5;
    return *p;
}

int main(void)
{
    int a = keep(1);
    int b = keep(0);

    assert(a == 5);
    assert(b == 5);
    return 0;
}

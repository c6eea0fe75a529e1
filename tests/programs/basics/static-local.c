// verdict: true
// rules: all
// why: precision
//
// A static local keeps its value from call to call.

#include <assert.h>
#include <pthread.h>

int ticket(void)
{
    static int next = 1;

    next = next + 1;
    return next - 1;
}

int main(void)
{
    int a = ticket();
    int b = ticket();

    assert(a == 1);
    assert(b == 2);
    return 0;
}

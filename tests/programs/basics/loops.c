// verdict: true
// rules: all
// why: precision
//
// break, continue, do-while and the comma operator in their usual places.

#include <assert.h>
#include <pthread.h>

int main(void)
{
    int k, n = 0, rounds = 0;

    for (k = 0; k < 10; k++) {
        if (k == 2)
            continue;
        if (k == 5)
            break;
        n = n + k;
    }
    assert(k == 5);
    assert(n == 0 + 1 + 3 + 4);
    do
        rounds = rounds + 1;
    while (0);
    assert(rounds == 1);
    k = (n = 3, n + 1);
    assert(k == 4 && n == 3);
    return 0;
}

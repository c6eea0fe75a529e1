// verdict: true
// rules: all
// why: precision
//
// One past the end of an array is in no other, and not where both would begin before the other.
#include <assert.h>
int x[2], y[2];
int main(void) {
    assert(&x[0] + 2 != &y[1]);
    assert(&x[0] + 2 != &y[0] || &y[0] + 2 != &x[0]);
    int sum = 0;
    for (int *p = x; p != x + 2; p++)
        sum += *p;
    assert(sum == 0);
    return 0;
}

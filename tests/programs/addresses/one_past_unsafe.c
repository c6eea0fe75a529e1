// verdict: false
// rules: all
// why: soundness
//
// One past the end of an array may be where another begins.
#include <assert.h>
int x[1], y[1];
int main(void) {
    assert(&x[0] + 1 != &y[0] && &y[0] + 1 != &x[0]);
    return 0;
}

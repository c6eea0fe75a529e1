// verdict: false
// rules: all
// why: soundness
//
// What is read in may be anything.

#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 1;
    assert(scanf("%d", &n) != 1 || n != 7);
    return 0;
}

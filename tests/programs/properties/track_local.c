// property: valid-memtrack
// verdict: false
// rules: all
// why: soundness
//
// Only a local of main leads to a block when main returns.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    return 0;
}

// property: valid-memcleanup
// verdict: false
// rules: all
// why: soundness
//
// exit leaves a block.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    exit(0);
}

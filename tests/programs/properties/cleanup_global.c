// property: valid-memcleanup
// verdict: false
// rules: all
// why: soundness
//
// A block is left when the program ends.
#include <stdlib.h>
int *g;
int main(void) {
    g = malloc(4);
    *g = 1;
    return 0;
}

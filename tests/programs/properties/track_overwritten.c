// property: valid-memtrack
// verdict: false
// rules: all
// why: soundness
//
// A pointer is overwritten that alone leads to a block.
#include <stdlib.h>
int *g;
int main(void) {
    g = malloc(4);
    g = malloc(4);
    free(g);
    return 0;
}

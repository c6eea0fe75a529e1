// property: valid-memtrack
// verdict: unknown
// rules: none
// why: limitation
//
// A pointer is overwritten that alone leads to a block: this is not seen yet.
#include <stdlib.h>
int *g;
int main(void) {
    g = malloc(4);
    g = malloc(4);
    free(g);
    return 0;
}

// property: valid-memtrack
// verdict: true
// rules: all
// why: precision
//
// A global leads to the block until the end.
#include <stdlib.h>
int *g;
int main(void) {
    g = malloc(4);
    *g = 1;
    return 0;
}

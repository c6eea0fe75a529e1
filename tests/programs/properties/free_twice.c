// property: valid-free
// verdict: false
// rules: all
// why: soundness
//
// A block is freed twice.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    free(p);
    return 0;
}

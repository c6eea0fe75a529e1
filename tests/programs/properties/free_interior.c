// property: valid-free
// verdict: false
// rules: all
// why: soundness
//
// What is freed is the middle of a block.
#include <stdlib.h>
int main(void) {
    int *p = malloc(8);
    free(p+1);
    return 0;
}

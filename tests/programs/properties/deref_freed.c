// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A block is read after it was freed.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    free(p);
    return *p;
}

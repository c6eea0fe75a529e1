// property: valid-memsafety
// verdict: true
// rules: all
// why: precision
//
// One variable leads to two blocks, one after the other.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    p = malloc(4);
    free(p);
    return 0;
}

// property: valid-memsafety
// verdict: false
// rules: all
// why: soundness
//
// A block is freed on one way only.
#include <stdlib.h>
int main(int c, char **v) {
    int *p = malloc(4);
    if (c > 2) free(p);
    return 0;
}

// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// An int of a block has some value.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    int x = *p;
    free(p);
    return 0;
}

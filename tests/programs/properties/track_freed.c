// property: valid-memtrack,valid-memcleanup
// verdict: true
// rules: all
// why: precision
//
// What is allocated is freed.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    free(p);
    return 0;
}

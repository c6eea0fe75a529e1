// property: valid-free
// verdict: false
// rules: all
// why: soundness
//
// What is freed was never allocated.
#include <stdlib.h>
int x;
int main(void) {
    int *p = &x;
    free(p);
    return 0;
}

// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A store through a null pointer.
#include <stdlib.h>
int main(void) {
    int *p = 0;
    *p = 1;
    return 0;
}

// property: valid-memtrack
// verdict: false
// rules: all
// why: soundness
//
// Nobody keeps the address of a block.
#include <stdlib.h>
int main(void) {
    malloc(4);
    return 0;
}

// verdict: true
// rules: all
// why: soundness
//
// Reading a freed block is undefined behaviour and ends the execution (assumption 3): nothing after it is an error.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 1;
    free(p);
    int v = *p;
    assert(v == 2);
    return 0;
}

// verdict: true
// rules: all
// why: soundness
//
// The old block is gone after realloc: using it is undefined.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *a = malloc(sizeof(int));
    *a = 1;
    int *b = realloc(a, 2 * sizeof(int));
    b[1] = *a;
    assert(0);
    return 0;
}

// verdict: true
// rules: all
// why: soundness
//
// Freeing twice is undefined behaviour, and so is freeing what malloc did not return.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(2 * sizeof(int));
    p[0] = 3;
    int *q = p;
    free(p);
    if (q != NULL)
        free(q);
    assert(0);
    return 0;
}

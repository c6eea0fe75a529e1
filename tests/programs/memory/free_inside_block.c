// verdict: true
// rules: all
// why: soundness
//
// free takes the address that malloc returned, no other.
#include <assert.h>
#include <stdlib.h>
int global;
int main(void) {
    int *p = malloc(2 * sizeof(int));
    int which = p[0];
    if (which == 0)
        free(p + 1);
    else
        free(&global);
    assert(0);
    return 0;
}

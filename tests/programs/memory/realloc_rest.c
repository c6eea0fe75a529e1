// verdict: false
// rules: all
// why: soundness
//
// What realloc adds is arbitrary.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *a = calloc(1, sizeof(int));
    a = realloc(a, 2 * sizeof(int));
    assert(a[0] == 0);
    assert(a[1] == 0);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// realloc keeps what was there and frees the old block.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *a = malloc(2 * sizeof(int));
    a[0] = 1;
    a[1] = 2;
    int *b = realloc(a, 4 * sizeof(int));
    b[3] = 4;
    assert(b[0] == 1 && b[1] == 2 && b[3] == 4);
    free(b);
    return 0;
}

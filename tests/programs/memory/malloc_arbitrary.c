// verdict: false
// rules: all
// why: soundness
//
// A fresh block holds anything.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    assert(*p == 0);
    free(p);
    return 0;
}

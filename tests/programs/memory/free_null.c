// verdict: false
// rules: all
// why: soundness
//
// free(NULL) does nothing.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = NULL;
    free(p);
    assert(p != NULL);
    return 0;
}

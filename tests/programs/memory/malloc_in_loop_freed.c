// verdict: true
// rules: all
// why: soundness
//
// Freeing a block of a loop ends the executions that use it afterwards, not those that use another.
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    while (__VERIFIER_nondet_int()) {
        int *p = malloc(sizeof *p);
        *p = 1;
        free(p);
        int v = *p;
        assert(v == 2);
    }
    return 0;
}

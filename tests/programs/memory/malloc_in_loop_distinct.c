// verdict: true
// rules: none
// why: limitation
//
// Two blocks of one loop never are the same block.
#include <assert.h>
#include <stdlib.h>
int nondet(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int *last = NULL;
    while (__VERIFIER_nondet_int()) {
        int *p = malloc(sizeof *p);
        assert(p != last);
        last = p;
    }
    return 0;
}

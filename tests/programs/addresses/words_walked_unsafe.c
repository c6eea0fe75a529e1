// verdict: false
// rules: all
// why: soundness
//
// A pointer to int that goes through an array of structs comes to both members of each.
#include <assert.h>
struct pair { int a, b; } pairs[3];
int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = (int *)pairs, i = __VERIFIER_nondet_int();
    pairs[1].b = 7;
    if (i >= 0 && i < 6)
        assert(p[i] != 7);
    return 0;
}

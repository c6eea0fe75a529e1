// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// printf reads a string that has no end.
#include <stdio.h>
int main(void) {
    char s[3] = {'a','b','c'};
    printf("%s\n", s);
    return 0;
}

// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// printf and puts read a string up to its end.
#include <stdio.h>
int main(void) {
    char s[4] = {'a','b','c'};
    printf("%s %d\n", s, 3);
    puts(s);
    fprintf(stderr, "x\n");
    return 0;
}

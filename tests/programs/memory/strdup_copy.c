// verdict: true
// rules: all
// why: soundness
//
// A copy of a string is an object of its own.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
char text[3] = "ab";
int main(void) {
    char *copy = strdup(text);
    text[0] = 'x';
    assert(copy[0] == 'a' && copy[2] == 0);
    free(copy);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// One past the end is a valid pointer, not a valid place.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *text = malloc(4), *end = text + 4;
    int n = 0;
    for (char *p = text; p != end; p++)
        n++;
    assert(n == 4);
    if (text[0])
        *end = 1, n = 0;
    assert(n == 4);
    free(text);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// strtol and its relatives, exactly.

#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(atoi(" -12x") == -12);
    assert(strtoul("17", NULL, 8) == 15);
    return 0;
}

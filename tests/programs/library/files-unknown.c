// verdict: unknown
// rules: all
// why: limitation
//
// Open files have addresses of their own, which nobody follows.

#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *one = fopen("one", "r"), *other = fopen("other", "r");
    if (one && other)
        assert(one != other);
    return 0;
}

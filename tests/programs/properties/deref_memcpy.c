// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// memcpy copies one array into another of the same size.
#include <string.h>
int a[4], b[4];
int main(void) {
    memcpy(a, b, sizeof a);
    return 0;
}

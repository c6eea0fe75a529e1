// verdict: true
// rules: all
// why: precision
//
// A pointer to int goes through the members of an array of structs.
#include <assert.h>
struct pair { int a, b; } pairs[3];
int main(void) {
    int sum = 0, *p = (int *)pairs;
    pairs[1].b = 7;
    for (int i = 0; i < 6; i++)
        sum += p[i];
    assert(sum == 7);
    return 0;
}

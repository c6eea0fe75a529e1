// verdict: unknown
// rules: none
// why: limitation
//
// A pointer to short that has passed two members comes to half of the third.
#include <assert.h>
struct mixed { short a, b; int c; } s;
int main(void) {
    short *p = (short *)&s;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *p++;
    assert(sum == 1);
    return 0;
}

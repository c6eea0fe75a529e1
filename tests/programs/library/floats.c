// verdict: true
// rules: all
// why: precision
//
// Floating point is not followed: what does not depend on it is proved.

#include <assert.h>
#include <stdio.h>

int main(void) {
    double mean = 0.5;
    int rounds = 0;
    for (int i = 0; i < 3; i++) {
        mean += i / 2.0;
        if (mean > 1.0)
            printf("%f\n", mean);
        rounds++;
    }
    assert(rounds == 3);
    return 0;
}

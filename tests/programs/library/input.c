// verdict: true
// rules: all
// why: precision
//
// What is read in may be anything that the format and the size admit.

#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 1, k = 2;
    char word[4];
    int got = scanf("%d %d %3s", &n, &k, word);
    assert(got >= -1 && got <= 3);
    assert(got >= 2 || k == 2);
    int c = getchar();
    assert(c >= -1 && c <= 255);
    return 0;
}

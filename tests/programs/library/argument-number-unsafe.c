// verdict: false
// rules: all
// why: precision
//
// A number in an argument that nothing else is asked of may be any number.

#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    int n = atoi(argv[1]);
    assert(n != 3);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// There may be any number of arguments.

#include <assert.h>

int main(int argc, char **argv) {
    assert(argc < 3 || argv[2] == 0);
    return 0;
}

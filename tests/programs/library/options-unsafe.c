// verdict: false
// rules: all
// why: soundness
//
// Any of the options may be given.

#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
    assert(getopt(argc, argv, "qn:") != 'n');
    return 0;
}

// verdict: unknown
// rules: all
// why: limitation
//
// Letters are not read off the command line: what fails with one of them may be another error.

#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
    assert(getopt(argc, argv, "qn:") != 'n');
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Options of the command line: letters that are asked for, and arguments for those that have one.

#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int letter, quiet = 0;
    while ((letter = getopt(argc, argv, "qn:")) != -1) {
        assert(letter == 'q' || letter == 'n' || letter == '?');
        assert(letter != 'n' || optarg != 0);
        if (letter == 'q')
            quiet = 1;
    }
    assert(argc > 1 || !quiet);
    return 0;
}

// property: valid-deref
// verdict: unknown
// rules: all
// why: limitation
//
// Where an argument ends is not modelled: whether its sixth character is there is not known.

int main(int argc, char **argv) {
    return argc > 1 && argv[1][5] == 'x';
}

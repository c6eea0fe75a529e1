// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// One way gives the local no value.
int main(int c, char **v) {
    int x;
    if (c > 1) x = 1;
    return x;
}

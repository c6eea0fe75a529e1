// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// The local is read only where it was written.
int main(int c, char **v) {
    int x;
    if (c > 1) x = 1;
    if (c > 1) return x;
    return 0;
}

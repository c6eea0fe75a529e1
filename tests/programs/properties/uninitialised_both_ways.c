// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// Each way gives the local a value.
int main(int c, char **v) {
    int x;
    if (c > 1) x = 1;
    else x = 2;
    return x;
}

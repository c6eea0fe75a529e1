// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// An index leaves an array of numbers that are not followed.
double a[4];
int main(int c, char **v) {
    a[c] = 1.0;
    return 0;
}

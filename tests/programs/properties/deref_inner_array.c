// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// An index leaves a row, though not the matrix.
int a[2][3];
int main(void) {
    int i = 4;
    a[0][i] = 1;
    return 0;
}

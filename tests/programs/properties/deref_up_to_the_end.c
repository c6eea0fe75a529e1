// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// A pointer goes through an array, and stops one past its end.
int a[30];
int main(void) {
    int *p = a;
    while (p < a + 30) *p++ = 1;
    return 0;
}

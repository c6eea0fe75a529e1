// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A function returns the address of its local.
int *f(void) {
    int x = 1;
    int *q = &x;
    return q;
}
int main(void) {
    int *p = f();
    return *p;
}

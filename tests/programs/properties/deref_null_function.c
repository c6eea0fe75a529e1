// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A call through a null pointer.
int f(int x) {
    return x;
}
int (*g)(int);
int main(void) {
    return g(1);
}

// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// An index leaves an array, though not the struct around it.
struct s { int a[2]; int b; } g;
int main(void) {
    int i = 2;
    g.a[i] = 1;
    return 0;
}

// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A loop goes one element too far.
int a[3];
int main(void) {
    int *p = a;
    for (int i = 0; i <= 3; i++) p[i] = i;
    return 0;
}

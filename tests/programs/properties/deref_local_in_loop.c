// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// A local of a loop is written through a pointer in each round.
void set(int *q, int v) {
    *q = v;
}
int nondet(void);
int main(void) {
    int s = 0;
    while (1) {
        int x;
        set(&x, 3);
        s = x;
        if (s == 4) break;
    }
    return 0;
}

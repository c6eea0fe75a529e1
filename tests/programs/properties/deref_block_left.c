// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// The block of a local has ended.
int main(void) {
    int *p;
    {
        int x = 1;
        p = &x;
    }
    return *p;
}

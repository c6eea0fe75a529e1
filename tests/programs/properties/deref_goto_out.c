// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A goto leaves the block of a local.
int main(int c, char **v) {
    int *p;
    int n = 0;
    again: if (n) *p = 2;
    {
        int y;
        p = &y;
        if (n == 0) {
            n = 1;
            goto again;
        }
    }
    return 0;
}

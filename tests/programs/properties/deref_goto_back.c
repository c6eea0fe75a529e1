// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// A goto that stays in a block ends no life.
int main(int c, char **v) {
    int n = 0;
    {
        int y;
        int *p = &y;
        again: *p = n;
        n++;
        if (n < 3) goto again;
    }
    return 0;
}

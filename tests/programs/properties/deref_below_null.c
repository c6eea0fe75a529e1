// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A pointer that is moved below null comes back at the other end.
int main(int c, char **v) {
    char *p = 0;
    if (c > 3) p--;
    *p = 0;
    return 0;
}

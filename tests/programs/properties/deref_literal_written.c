// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A string literal is written.
int main(void) {
    char *s = "abc";
    s[0] = 'x';
    return 0;
}

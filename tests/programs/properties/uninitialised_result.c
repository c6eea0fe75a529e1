// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// A function that returns nothing, whose value nobody looks at.
int f(int x) {
    if (x) return 1;
}
int main(void) {
    f(0);
    return 0;
}

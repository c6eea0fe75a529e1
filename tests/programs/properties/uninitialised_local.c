// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// A local is read that has no value.
int main(void) {
    int x;
    return x;
}

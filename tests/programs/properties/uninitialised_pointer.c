// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// A pointer is followed that has no value.
int main(void) {
    int *p;
    return *p;
}

// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// The last element is read, and was not written.
int main(void) {
    int a[4];
    for (int i = 0; i < 3; i++) a[i] = i;
    int s = 0;
    for (int i = 0; i < 4; i++) s += a[i];
    return s;
}

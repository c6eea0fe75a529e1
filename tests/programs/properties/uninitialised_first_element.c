// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// All elements but the first are written.
int a;
int main(void) {
    int b[20];
    for (int i = 1; i < 20; i++) b[i] = i;
    return b[a];
}

// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// A local of a loop has no value in the next round.
int main(void) {
    for (int i = 0; i < 20; i++) {
        int x;
        if (i == 0) x = 1;
        if (i && x) return 1;
    }
    return 0;
}

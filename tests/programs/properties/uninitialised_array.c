// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// All elements are written before they are read.
int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = i;
    int s = 0;
    for (int i = 0; i < 4; i++) s += a[i];
    return s;
}

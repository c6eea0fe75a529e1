// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// An unsigned char has some value.
int main(void) {
    unsigned char c;
    unsigned char d = c;
    return 0;
}

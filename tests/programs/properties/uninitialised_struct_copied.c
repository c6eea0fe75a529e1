// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// A struct may be copied although not all of it has values.
struct s { int a, b; };
int main(void) {
    struct s x, y;
    x.a = 1;
    y = x;
    return y.a;
}

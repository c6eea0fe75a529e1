// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// A member has no value after a copy if it had none before.
struct s { int a, b; };
int main(void) {
    struct s x, y;
    x.a = 1;
    y = x;
    return y.b;
}

// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// A pointer is used only while what it points to lives.
int main(void) {
    int *p;
    {
        int x = 1;
        p = &x;
        *p = 2;
    }
    int y;
    p = &y;
    *p = 3;
    return *p;
}

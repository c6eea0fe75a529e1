// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// A switch jumps past the declaration of a local, which lives all the same.
int main(int c, char **v) {
    switch (c) {
        int y;
        int *p;
        case 1: p = &y;
        *p = 1;
        break;
        case 2: y = 2;
    }
    return 0;
}

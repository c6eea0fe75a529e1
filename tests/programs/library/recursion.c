// verdict: true
// rules: all
// why: precision
//
// Recursion whose depth the arguments bound.

#include <assert.h>

int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
    assert(fib(8) == 21);
    return 0;
}

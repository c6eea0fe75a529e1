// run: prove
#include <assert.h>
int x;
static void twice(void) { asm("incl %0" : "+r"(x)); }
int main(void) {
    twice();
    assert(x == 0);
}

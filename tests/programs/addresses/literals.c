// verdict: true
// rules: all
// why: precision
//
// A string literal lies in no array.
#include <assert.h>
char array[4];
int main(void) {
    const char *literal = "abc";
    assert(literal != array && literal + 1 != array + 2);
    assert(literal[1] == 'b');
    return 0;
}

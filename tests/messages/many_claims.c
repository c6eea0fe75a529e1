// run: prove --property unreach-call,no-overflow
#include <assert.h>
int main(void) {
    int i = 0;
    assert(i == 0); i++;
    assert(i == 1); i++;
    assert(i == 2); i++;
    assert(i == 3); i++;
    assert(i == 4); i++;
    assert(i == 5); i++;
    assert(i == 6); i++;
    assert(i == 7); i++;
    assert(i == 8); i++;
    return i;
}

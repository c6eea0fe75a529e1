// verdict: true
// rules: all
// why: soundness
//
// Past the end of a block is undefined behaviour (assumption 3).
#include <assert.h>
#include <stdlib.h>
struct buffer { int length; int data[]; };
int main(void) {
    struct buffer *b = malloc(sizeof(struct buffer) + 3 * sizeof(int));
    b->length = 3;
    b->data[b->length] = 1;
    assert(0);
    return 0;
}

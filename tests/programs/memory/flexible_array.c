// verdict: true
// rules: all
// why: precision
//
// A struct with a flexible array at its end.
#include <assert.h>
#include <stdlib.h>
struct buffer { int length; int data[]; };
int main(void) {
    struct buffer *b = malloc(sizeof(struct buffer) + 3 * sizeof(int));
    b->length = 3;
    for (int i = 0; i < b->length; i++)
        b->data[i] = i * i;
    assert(b->data[2] == 4);
    free(b);
    return 0;
}

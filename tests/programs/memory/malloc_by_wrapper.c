// verdict: true
// rules: all
// why: precision
//
// The type of a block is what the caller converts it to, through wrappers that return void pointers.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static void *xmalloc(size_t size) {
    void *p = malloc(size);
    if (p == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}
static void *create(size_t size) { return xmalloc(size); }
struct point { int x, y; };
int main(void) {
    struct point *p = create(sizeof *p);
    long *numbers = xmalloc(3 * sizeof(long));
    p->x = 1;
    p->y = 2;
    numbers[2] = p->x + p->y;
    assert(numbers[2] == 3);
    free(numbers);
    free(p);
    return 0;
}

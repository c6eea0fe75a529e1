// verdict: true
// rules: all
// why: precision
//
// calloc gives zeros, in structs and in arrays.
#include <assert.h>
#include <stdlib.h>
struct pair { int a; char *b; };
int main(void) {
    struct pair *p = calloc(1, sizeof *p);
    assert(p->a == 0 && p->b == NULL);
    int *row = calloc(20, sizeof(int));
    int i = p->a + 7;
    assert(row[i] == 0 && row[19] == 0);
    free(p);
    free(row);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// A block whose size is known only when it is allocated.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int *cells;
unsigned n;
void *last(void *arg) {
    cells[n - 1] = 7;
    return NULL;
}
int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uint();
    if (n < 2 || n > 1000)
        return 0;
    cells = malloc(n * sizeof(int));
    cells[0] = 3;
    pthread_create(&t, NULL, last, NULL);
    pthread_join(t, NULL);
    assert(cells[0] == 3 && cells[n - 1] == 7);
    return 0;
}

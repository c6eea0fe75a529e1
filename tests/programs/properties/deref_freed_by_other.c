// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A block is freed while a thread uses it.
#include <pthread.h>
#include <stdlib.h>
void *use(void *a) {
    int *p = a;
    *p = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    pthread_create(&t, 0, use, p);
    free(p);
    return 0;
}

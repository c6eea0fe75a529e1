// property: valid-free
// verdict: false
// rules: all
// why: soundness
//
// Two threads find the pointer set, and both free it.
#include <pthread.h>
#include <stdlib.h>
int *g;
void *drop(void *a) {
    int *p = g;
    if (p) {
        g = 0;
        free(p);
    }
    return 0;
}
int main(void) {
    pthread_t x, y;
    g = malloc(4);
    pthread_create(&x, 0, drop, 0);
    pthread_create(&y, 0, drop, 0);
    return 0;
}

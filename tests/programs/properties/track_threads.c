// property: valid-memtrack,valid-memcleanup
// verdict: true
// rules: all
// why: precision
//
// A block that threads share is freed when they have ended.
#include <stdlib.h>
#include <pthread.h>
int *g;
void *t(void*a) {
    *g = 2;
    return 0;
}
int main(void) {
    pthread_t h;
    g = malloc(4);
    pthread_create(&h,0,t,0);
    pthread_join(h,0);
    free(g);
    return 0;
}

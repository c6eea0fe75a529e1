// verdict: false
// rules: all
// why: soundness
//
// Flags of two threads in one word that is not atomic: one of them is lost.
#include <assert.h>
#include <pthread.h>
unsigned flags = 12;
void *sets(void *arg) {
    flags |= 3;
    return NULL;
}
void *clears(void *arg) {
    flags &= ~4u;
    return NULL;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sets, NULL);
    pthread_create(&b, NULL, clears, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flags == 11);
    return 0;
}

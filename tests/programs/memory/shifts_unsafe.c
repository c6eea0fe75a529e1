// verdict: false
// rules: all
// why: soundness
//
// The promoted value has a bit more than the variable.
#include <assert.h>
#include <pthread.h>
unsigned char low = 0x80;
void *worker(void *arg) {
    low >>= 1;
    low <<= 1;
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(low << 1 == 0);
    return 0;
}

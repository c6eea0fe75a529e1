// verdict: true
// rules: all
// why: precision
//
// Shifts at their width: unsigned ones lose bits, a signed right shift keeps the sign.
#include <assert.h>
#include <pthread.h>
unsigned char low = 0x81;
unsigned mask;
void *worker(void *arg) {
    mask = 1u << 31;
    return NULL;
}
int main(void) {
    pthread_t t;
    int negative = -5;
    pthread_create(&t, NULL, worker, NULL);
    assert((unsigned char)(low << 1) == 2);
    assert(low << 1 == 0x102);
    assert(negative >> 1 == -3);
    assert((unsigned)negative >> 31 == 1);
    pthread_join(t, NULL);
    assert(mask >> 31 == 1 && mask << 1 == 0);
    return 0;
}

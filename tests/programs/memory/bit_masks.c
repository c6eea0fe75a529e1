// verdict: true
// rules: all
// why: precision
//
// Flags of two threads in one word: setting, toggling and clearing bits with masks is exact.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint flags = 12;
void *sets(void *arg) {
    atomic_fetch_or(&flags, 3);
    return NULL;
}
void *toggles(void *arg) {
    atomic_fetch_xor(&flags, 16);
    return NULL;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sets, NULL);
    pthread_create(&b, NULL, toggles, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flags == 31);
    assert(atomic_fetch_and(&flags, ~5u) == 31 && flags == 26);
    return 0;
}

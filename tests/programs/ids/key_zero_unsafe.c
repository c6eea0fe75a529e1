// verdict: false
// rules: all
// why: soundness
//
// A key may be zero.
#include <assert.h>
#include <pthread.h>
int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    assert(key);
    return 0;
}

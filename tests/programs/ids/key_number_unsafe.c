// verdict: false
// rules: all
// why: soundness
//
// A key is no particular number.
#include <assert.h>
#include <pthread.h>
int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    assert(key == 1);
    return 0;
}

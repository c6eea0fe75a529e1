// verdict: false
// rules: all
// why: soundness
//
// Without the lock, memcmp sees a copy that is half done.
#include <assert.h>
#include <pthread.h>
#include <string.h>
unsigned char source[2] = {3, 4}, target[2] = {0, 0};
int done;
void *worker(void *arg) {
    memcpy(target, source, sizeof target);
    return NULL;
}
int main(void) {
    pthread_t t;
    const unsigned char before[2] = {0, 0};
    pthread_create(&t, NULL, worker, NULL);
    int old = memcmp(target, before, 2) == 0;
    int new = memcmp(target, source, 2) == 0;
    assert(old || new);
    pthread_join(t, NULL);
    return 0;
}

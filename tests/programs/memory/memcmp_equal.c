// verdict: true
// rules: all
// why: precision
//
// What memcpy copies under a lock, memcmp finds equal; the sign of a difference is that of the first byte.
#include <assert.h>
#include <pthread.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char source[2] = {1, 2}, target[2] = {1, 2};
void *worker(void *arg) {
    pthread_mutex_lock(&m);
    source[1] = 200;
    memcpy(target, source, sizeof target);
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void) {
    pthread_t t;
    const unsigned char small[2] = {1, 9};
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    assert(memcmp(source, target, 2) == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(memcmp(source, small, 2) > 0);
    return 0;
}

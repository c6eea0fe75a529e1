// verdict: true
// rules: all
// why: precision
//
// Joining and detaching what is no thread fails.
#include <assert.h>
#include <pthread.h>
void *worker(void *arg) { return 0; }
int main(void) {
    pthread_t t = 0, u;
    pthread_create(&u, 0, worker, 0);
    assert(pthread_join(t, 0) != 0);
    assert(pthread_detach(t) != 0);
    assert(pthread_detach(u) == 0);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Threads that exist at the same time have different ids, none of them zero, and each always has its own.
#include <assert.h>
#include <pthread.h>
pthread_t seen;
void *worker(void *arg) {
    seen = pthread_self();
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    assert(t != 0 && t != u && !pthread_equal(t, pthread_self()));
    assert(t < u || u < t);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(seen == t || seen == u);
    return 0;
}

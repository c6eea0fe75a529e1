// verdict: true
// rules: all
// why: precision
//
// The kernel's id of a thread is the same at each call, and main's is that of the process.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
int other;
void *worker(void *arg) {
    other = gettid();
    assert(other == gettid() && other != getpid());
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(gettid() == getpid() && getpid() > 0);
    pthread_join(t, 0);
    assert(other != gettid());
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// The id of a thread that was detached may be used again when it has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int done;
void *first(void *arg) {
    done = 1;
    return 0;
}
void *second(void *arg) { return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_detach(t);
    while (!done)
        ;
    pthread_create(&u, 0, second, 0);
    assert(!pthread_equal(t, u));
    pthread_join(u, 0);
    return 0;
}

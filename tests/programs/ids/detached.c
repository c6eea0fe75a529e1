// verdict: true
// rules: all
// why: precision
//
// The id of a thread that was detached is not used again before it has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int go;
void *first(void *arg) {
    while (!go)
        ;
    return 0;
}
void *second(void *arg) { return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    assert(pthread_detach(t) == 0);
    pthread_create(&u, 0, second, 0);
    assert(!pthread_equal(t, u));
    go = 1;
    pthread_join(u, 0);
    return 0;
}

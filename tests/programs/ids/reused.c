// verdict: true
// rules: all
// why: precision
//
// The id of a thread that has not been joined is not used again; main's never is.
#include <assert.h>
#include <pthread.h>
pthread_t owner;
void *first(void *arg) {
    owner = pthread_self();
    return 0;
}
void *second(void *arg) { return 0; }
int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(u, 0);
    pthread_create(&v, 0, second, 0);
    assert(!pthread_equal(t, v));
    assert(!pthread_equal(v, pthread_self()));
    pthread_join(v, 0);
    pthread_join(t, 0);
    assert(pthread_equal(owner, t));
    return 0;
}

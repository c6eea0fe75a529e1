// verdict: false
// rules: all
// why: soundness
//
// The id of a thread that has been joined may be that of the next.
#include <assert.h>
#include <pthread.h>
pthread_t owner;
void *first(void *arg) {
    owner = pthread_self();
    return 0;
}
void *second(void *arg) {
    assert(!pthread_equal(owner, pthread_self()));
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(t, 0);
    return 0;
}

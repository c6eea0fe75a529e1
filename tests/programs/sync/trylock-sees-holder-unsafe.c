// verdict: false
// rules: all
// why: soundness
//
// A lock that is taken and given back at once is still seen by who tries it: the two are not one step.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *holder(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}
void *watcher(void *arg) {
    int taken = pthread_mutex_trylock(&m);
    assert(taken == 0);
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void) {
    pthread_t h, w;
    pthread_create(&h, NULL, holder, NULL);
    pthread_create(&w, NULL, watcher, NULL);
    pthread_join(h, NULL);
    pthread_join(w, NULL);
    return 0;
}

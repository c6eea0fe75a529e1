// verdict: false
// rules: all
// why: soundness
//
// memset goes element by element: in between, one is cleared and another is not.
#include <assert.h>
#include <pthread.h>
#include <string.h>
int pair[2] = {1, 1};
void *worker(void *arg) {
    memset(pair, 0, sizeof pair);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int first = pair[0];
    int second = pair[1];
    assert(first == second);
    pthread_join(t, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Two pointers to one object: a write through one is seen through the other.
#include <assert.h>
#include <pthread.h>
int x, y;
int *p = &x, *q = &y;
void *worker(void *arg) {
    q = p;
    *q = 1;
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    *p = 2;
    assert(*q == 1);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Reading an atomic pointer and moving it are two steps: two threads get the same element.
#include <assert.h>
#include <pthread.h>
int cells[3];
int *_Atomic next = cells;
void *worker(void *arg) {
    int *mine = next;
    next += 1;
    *mine += 1;
    return NULL;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    assert(next == cells + 2);
    assert(cells[0] == 1 && cells[1] == 1);
    return 0;
}

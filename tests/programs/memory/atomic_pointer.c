// verdict: true
// rules: all
// why: precision
//
// Elements handed out by an atomic pointer: gcc's builtins move it by bytes, operators by elements.
#include <assert.h>
#include <pthread.h>
int cells[3];
int *next = cells;
int *_Atomic last = cells;
void *worker(void *arg) {
    int *mine = __atomic_fetch_add(&next, sizeof *next, __ATOMIC_SEQ_CST);
    *mine += 1;
    last++;
    return NULL;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    worker(NULL);
    pthread_join(a, NULL);
    assert(__sync_sub_and_fetch(&next, 4) == cells + 1 && last == cells + 2);
    assert(cells[0] == 1 && cells[1] == 1 && cells[2] == 0);
    return 0;
}

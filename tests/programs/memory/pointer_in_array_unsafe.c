// verdict: false
// rules: all
// why: soundness
//
// Two pointers into one array come to the same element.
#include <assert.h>
#include <pthread.h>
int cells[4];
void *worker(void *arg) {
    int *back = cells + 4;
    back -= 2;
    *--back = 1;
    return NULL;
}
int main(void) {
    pthread_t t;
    int *forth = cells;
    pthread_create(&t, NULL, worker, NULL);
    *++forth = 2;
    assert(forth[0] == 2 && forth - cells == 1);
    pthread_join(t, NULL);
    return 0;
}

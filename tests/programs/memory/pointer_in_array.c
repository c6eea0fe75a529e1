// verdict: true
// rules: all
// why: precision
//
// Two pointers into one array stay apart.
#include <assert.h>
#include <pthread.h>
int cells[4];
void *worker(void *arg) {
    int *back = &cells[3];
    *back-- = 1;
    *back = 1;
    return NULL;
}
int main(void) {
    pthread_t t;
    int *forth = cells;
    pthread_create(&t, NULL, worker, NULL);
    *++forth = 2;
    assert(forth[0] == 2 && forth - cells == 1 && *(forth - 1) == 0);
    pthread_join(t, NULL);
    assert(forth[1] + forth[2] == 2);
    return 0;
}

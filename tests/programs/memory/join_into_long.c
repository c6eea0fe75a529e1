// verdict: true
// rules: all
// why: precision
//
// A result that is an integer, taken into a long, and one that is a block.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *number(void *arg) { return (void *)5L; }
void *block(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 6;
    return p;
}
int main(void) {
    pthread_t threads[2];
    long result;
    void *pointer;
    pthread_create(&threads[0], NULL, number, NULL);
    pthread_create(&threads[1], NULL, block, NULL);
    pthread_join(threads[0], (void **)&result);
    pthread_join(threads[1], &pointer);
    assert(result == 5);
    assert(*(int *)pointer == 6);
    free(pointer);
    return 0;
}

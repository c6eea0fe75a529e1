// verdict: false
// rules: all
// why: soundness
//
// The pointer is a constant by the time the thread runs; what it points to is not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *reader(void *arg) {
    int first = *shared;
    int second = *shared;
    assert(first == second);
    return NULL;
}
int main(void) {
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    *shared = 2;
    pthread_join(t, NULL);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// Only the executions that touch the freed block end there: the one in which the reader comes first goes on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *shared;
void *reader(void *arg) {
    int v = *shared;
    assert(v != 5);
    return NULL;
}
int main(void) {
    shared = malloc(sizeof(int));
    *shared = 5;
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    free(shared);
    pthread_join(t, NULL);
    return 0;
}

// verdict: true
// rules: all
// why: precision
//
// Two pointers that never meet.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *worker(void *arg) {
    int *mine = arg;
    *mine = 1;
    *mine = *mine + 1;
    return NULL;
}
int main(void) {
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    *a = 0;
    *b = 5;
    pthread_t t;
    pthread_create(&t, NULL, worker, a);
    assert(*b == 5);
    pthread_join(t, NULL);
    assert(*a == 2 && *b == 5);
    free(a);
    free(b);
    return 0;
}

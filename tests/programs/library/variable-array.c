// verdict: true
// rules: all
// why: precision
//
// An array of variable length, its size and its elements.

#include <assert.h>
#include <pthread.h>

int done[2];

void *worker(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    int n = 2;
    pthread_t threads[n];
    assert(sizeof threads == n * sizeof(pthread_t));
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], 0, worker, &done[i]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], 0);
    assert(done[0] == 1 && done[1] == 1);
    return 0;
}

// verdict: false
// rules: all
// why: soundness
//
// The usual mistake: all threads get the address of one struct that main goes on changing.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct task { int id; };
int seen[3];
void *worker(void *arg) {
    struct task *task = arg;
    seen[task->id] = 1;
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    struct task *task = malloc(sizeof *task);
    for (int i = 0; i < 2; i++) {
        task->id = i;
        pthread_create(&threads[i], NULL, worker, task);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(seen[0] && seen[1]);
    free(task);
    return 0;
}

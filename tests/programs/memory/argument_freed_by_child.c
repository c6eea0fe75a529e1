// verdict: true
// rules: all
// why: precision
//
// Each thread gets a block of its own, which it frees.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct task { int id; int factor; };
int results[2];
void *worker(void *arg) {
    struct task *task = arg;
    results[task->id] = task->factor * 10;
    free(task);
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        struct task *task = malloc(sizeof(struct task));
        task->id = i;
        task->factor = i + 1;
        pthread_create(&threads[i], NULL, worker, task);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(results[0] == 10 && results[1] == 20);
    return 0;
}

// property: valid-free
// verdict: false
// rules: all
// why: soundness
//
// A key's destructor is `free` itself, and the thread has freed the block already.
#include <pthread.h>
#include <stdlib.h>
pthread_key_t key;
void *worker(void *unused) {
    void *block = malloc(4);
    pthread_setspecific(key, block);
    free(block);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}

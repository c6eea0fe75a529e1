// property: valid-memtrack
// verdict: true
// rules: none
// why: precision
//
// A block is handed to another thread, which frees it, or is still there for main.
#include <pthread.h>
#include <stdlib.h>
int *slot;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    int *taken = slot;
    slot = 0;
    pthread_mutex_unlock(&lock);
    free(taken);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, consumer, 0);
    int *made = malloc(sizeof *made);
    pthread_mutex_lock(&lock);
    slot = made;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    free(slot);
    return 0;
}

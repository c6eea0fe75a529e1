// property: valid-memtrack
// verdict: false
// rules: all
// why: soundness
//
// Two threads put a block each into one place: the first is lost.
#include <pthread.h>
#include <stdlib.h>
int *slot;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *producer(void *unused) {
    int *made = malloc(sizeof *made);
    pthread_mutex_lock(&lock);
    slot = made;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, producer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    free(slot);
    return 0;
}

// property: valid-memtrack,valid-memcleanup
// verdict: true
// rules: all
// why: precision
//
// A key's destructor is `free` itself: what the thread leaves there is not lost.
#include <pthread.h>
#include <stdlib.h>
pthread_key_t key;
void *worker(void *unused) {
    pthread_setspecific(key, malloc(4));
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}

// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// Two threads take the next place of an array, without a lock.
#include <pthread.h>
int places[2];
int next;
void *put(void *a) {
    if (next < 2) {
        places[next] = 1;
        next = next + 1;
    }
    return 0;
}
int main(void) {
    pthread_t x, y, z;
    pthread_create(&x, 0, put, 0);
    pthread_create(&y, 0, put, 0);
    pthread_create(&z, 0, put, 0);
    return 0;
}

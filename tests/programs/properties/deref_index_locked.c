// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// The same under a mutex.
#include <pthread.h>
int places[2];
int next;
pthread_mutex_t m;
void *put(void *a) {
    pthread_mutex_lock(&m);
    if (next < 2) {
        places[next] = 1;
        next = next + 1;
    }
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, put, 0);
    pthread_create(&y, 0, put, 0);
    return 0;
}

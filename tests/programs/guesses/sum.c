// verdict: true
// rules: none
// solver: houdini
// why: precision
//
// What two threads add 400 times.

#include <assert.h>
#include <pthread.h>

int s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg) {
    for (int i = 0; i < 400; i++) {
        pthread_mutex_lock(&m);
        s++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(s == 800);
    return 0;
}

// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A default mutex is locked twice.
#include <pthread.h>
pthread_mutex_t m;
int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}

// property: no-misuse
// verdict: true
// rules: all
// why: precision
//
// A normal mutex that is locked twice is a deadlock, and no misuse.
#include <pthread.h>
pthread_mutex_t m;
int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}

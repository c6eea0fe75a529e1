// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A wait for a condition without the mutex.
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int main(void) {
    pthread_cond_wait(&c,&m);
    return 0;
}

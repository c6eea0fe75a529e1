// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A mutex is unlocked that nobody holds.
#include <pthread.h>
pthread_mutex_t m;
int main(void) {
    pthread_mutex_unlock(&m);
    return 0;
}

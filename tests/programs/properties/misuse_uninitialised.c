// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A local mutex was never initialised.
#include <pthread.h>
int main(void) {
    pthread_mutex_t m;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

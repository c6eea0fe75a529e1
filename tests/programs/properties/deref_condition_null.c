// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A condition variable that is none.
#include <pthread.h>
int main(void) {
    pthread_cond_t *c = 0;
    pthread_cond_signal(c);
    return 0;
}

// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A spin lock was never initialised.
#include <pthread.h>
pthread_spinlock_t l;
int main(void) {
    pthread_spin_lock(&l);
    return 0;
}

// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A semaphore was never initialised: zeros are no initialiser.
#include <semaphore.h>
sem_t s;
int main(void) {
    sem_post(&s);
    return 0;
}

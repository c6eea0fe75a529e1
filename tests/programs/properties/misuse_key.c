// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A key that does not exist.
#include <pthread.h>
pthread_key_t k;
int main(void) {
    pthread_setspecific(k, 0);
    return 0;
}

// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A handle that names no thread.
#include <pthread.h>
pthread_t h;
int main(void) {
    pthread_join(h, 0);
    return 0;
}

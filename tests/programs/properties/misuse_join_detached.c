// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A thread is joined that was detached.
#include <pthread.h>
void *t(void*a) {
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h,0,t,0);
    pthread_detach(h);
    pthread_join(h, 0);
    return 0;
}

// property: no-misuse
// verdict: true
// rules: all
// why: precision
//
// A thread detaches itself, once.
#include <pthread.h>
void *t(void*a) {
    pthread_detach(pthread_self());
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h,0,t,0);
    return 0;
}

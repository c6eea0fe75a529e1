// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A thread is given a local of a function that may have returned.
#include <pthread.h>
void *t(void*a) {
    *(int*)a = 1;
    return 0;
}
pthread_t h;
void start(void) {
    int x = 0;
    pthread_create(&h,0,t,&x);
}
int main(void) {
    start();
    pthread_join(h,0);
    return 0;
}

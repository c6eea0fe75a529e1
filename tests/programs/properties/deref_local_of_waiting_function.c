// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// A thread is given a local of a function that waits for it.
#include <pthread.h>
void *t(void*a) {
    *(int*)a = 1;
    return 0;
}
void start(void) {
    pthread_t h;
    int x = 0;
    pthread_create(&h,0,t,&x);
    pthread_join(h,0);
}
int main(void) {
    start();
    return 0;
}

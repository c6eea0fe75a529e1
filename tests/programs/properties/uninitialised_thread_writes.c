// property: no-uninitialised-read
// verdict: true
// rules: all
// why: precision
//
// A thread writes, and its creator reads when it has ended.
#include <pthread.h>
void *t(void*a) {
    *(int*)a = 3;
    return 0;
}
int main(void) {
    pthread_t h;
    int x;
    pthread_create(&h,0,t,&x);
    pthread_join(h,0);
    return x;
}

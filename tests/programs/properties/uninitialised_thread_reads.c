// property: no-uninitialised-read
// verdict: false
// rules: all
// why: soundness
//
// A thread may read before its creator writes.
#include <pthread.h>
void *t(void*a) {
    return (void*)(long)*(int*)a;
}
int main(void) {
    pthread_t h;
    int x;
    pthread_create(&h,0,t,&x);
    x = 3;
    pthread_join(h,0);
    return 0;
}

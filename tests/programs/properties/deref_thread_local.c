// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A variable of a thread that has ended.
#include <pthread.h>
_Thread_local int own;
int *p;
void *tell(void *a) {
    p = &own;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, tell, 0);
    pthread_join(t, 0);
    return *p;
}

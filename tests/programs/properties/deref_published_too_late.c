// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A thread may follow a pointer before it is set.
#include <pthread.h>
int x;
int *p;
void *reader(void *a) {
    *p = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    p = &x;
    return 0;
}

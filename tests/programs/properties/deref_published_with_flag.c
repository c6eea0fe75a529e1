// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// A flag says that the pointer is set.
#include <pthread.h>
int x;
int *p;
_Atomic int ready;
void *reader(void *a) {
    if (ready) *p = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    p = &x;
    ready = 1;
    return 0;
}

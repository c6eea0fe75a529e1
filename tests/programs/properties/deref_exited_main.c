// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// main has ended by pthread_exit, and a thread uses its local.
#include <pthread.h>
void *use(void *a) {
    *(int *)a = 1;
    return 0;
}
int main(void) {
    int x = 0;
    pthread_t t;
    pthread_create(&t, 0, use, &x);
    pthread_exit(0);
}

// property: valid-deref
// verdict: true
// rules: all
// why: precision
//
// When main returns all ends.
#include <pthread.h>
void *use(void *a) {
    *(int *)a = 1;
    return 0;
}
int main(void) {
    int x = 0;
    pthread_t t;
    pthread_create(&t, 0, use, &x);
    return 0;
}

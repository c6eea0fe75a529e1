// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A key that has been deleted.
#include <pthread.h>
pthread_key_t k;
int main(void) {
    pthread_key_create(&k, 0);
    pthread_setspecific(k, 0);
    pthread_key_delete(k);
    pthread_getspecific(k);
    return 0;
}

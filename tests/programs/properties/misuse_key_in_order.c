// property: no-misuse
// verdict: true
// rules: all
// why: precision
//
// A key from its beginning to its end.
#include <pthread.h>
pthread_key_t k;
int main(void) {
    pthread_key_create(&k, 0);
    pthread_setspecific(k, 0);
    pthread_getspecific(k);
    pthread_key_delete(k);
    return 0;
}

// verdict: true
// rules: monolithic
// why: soundness
//
// A loop whose body is entered with and without an access: what holds after the access does not hold of all who come there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int flag, k, done;
void *other(void *arg) { flag = 0; done = k; return NULL; }
int main(void) {
    pthread_t t;
    int i = 0;
    while (i < 2 || flag) {
        i++;
        k = i;
    }
    pthread_create(&t, NULL, other, NULL);
    while (k < 5 || flag) {
        pthread_join(t, NULL);
        k = k + 3;
    }
    assert(k >= 2);
    return 0;
}

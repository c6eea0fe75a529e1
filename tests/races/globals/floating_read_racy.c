// verdict: false
// about: a floating-point global is read while it is written

#include <pthread.h>

float d, e;
void *one(void *unused) { d = 1.5f; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    e = d;
    pthread_join(t, 0);
    return 0;
}

// verdict: true
// about: a floating-point global is read after the join

#include <pthread.h>

float d, e;
void *one(void *unused) { d = 1.5f; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    e = d;
    return 0;
}

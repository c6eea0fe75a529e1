// verdict: false
// about: two floating-point fields are different objects, one is not

#include <pthread.h>

struct { float a, b; } s;
void *one(void *unused) { s.a = 1.0f; return 0; }
void *two(void *unused) { s.a = 2.0f; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

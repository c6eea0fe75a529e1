// verdict: false
// about: members of a union that are floating-point: who touches which bytes is not followed
// limitation: floating point in unions is refused

#include <pthread.h>

union { float f; double d; } u;
void *one(void *unused) { u.f = 1.0f; return 0; }
void *two(void *unused) { u.d = 1.0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

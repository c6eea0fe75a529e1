// verdict: true
// about: bit-fields apart: a zero-width one is between them

#include <pthread.h>

struct { unsigned a : 3; unsigned : 0; unsigned b : 3; } s;
void *one(void *unused) { s.a = 1; return 0; }
void *two(void *unused) { s.b = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

// verdict: true
// about: an _Atomic struct is copied at once

#include <pthread.h>

struct pair { int a, b; };
_Atomic struct pair p;
struct pair mine, other;
void *one(void *unused) { p = mine; return 0; }
void *two(void *unused) { other.b = 1; struct pair q = p; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

// verdict: false
// about: a bit-field and a bit-field of the same run that is only read

#include <pthread.h>

struct { unsigned a : 3; unsigned b : 5; } s;
int y;
void *one(void *unused) { s.a = 1; return 0; }
void *two(void *unused) { y = s.b; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

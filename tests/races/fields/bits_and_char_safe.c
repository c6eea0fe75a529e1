// verdict: true
// about: a bit-field and the char after it

#include <pthread.h>

struct { unsigned a : 3; char b; } s;
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

// verdict: false
// about: a struct copy reads its floating-point fields, too

#include <pthread.h>

struct s { int a; double d; } x, y, z;
void *one(void *unused) { x.d = 1.0; return 0; }
void *two(void *unused) { y = x; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}

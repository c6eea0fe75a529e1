// verdict: false
// about: a struct passed by value is read

#include <pthread.h>

struct s { int a, b; } x;
int sum(struct s v) { return v.a; }
void *one(void *unused) { x.b = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    sum(x);
    pthread_join(t, 0);
    return 0;
}

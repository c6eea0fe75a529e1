// verdict: true
// about: a struct passed by value is read: here by its creator, before

#include <pthread.h>

struct s { int a, b; } x;
int sum(struct s v) { return v.a; }
void *one(void *unused) { x.b = 1; return 0; }
int main(void) {
    pthread_t t;
    sum(x);
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
